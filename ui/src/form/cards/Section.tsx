import { Button, Text, Title, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from '../../ui/icons/Icon';
import { useFormApi } from '../state/FormContext';
import type { Dataset } from '../types';
import { AnswerList } from './AnswerList';
import { FieldGrid } from './FieldGrid';
import classes from './Section.module.css';

interface Props {
  dataset: Dataset;
  open: boolean;
  /** The part of the questions to show, if the card has two parts. */
  part?: SectionPart;
  onToggle?: (open: boolean) => void;
  onContinue?: () => void;
}

/** One of the two parts of an open card: the fields up to `field`, or the fields after it. */
export interface SectionPart {
  field: string;
  which: 'first' | 'rest';
}

function fieldsOf(dataset: Dataset, part: SectionPart | undefined): Dataset['fields'] {
  if (!part) return dataset.fields;
  const end = dataset.fields.findIndex((field) => field.name === part.field) + 1;
  return part.which === 'first' ? dataset.fields.slice(0, end) : dataset.fields.slice(end);
}

/**
 * Shows the card of a single dataset: the questions while the card is open, the answers while it is
 * closed.
 */
export function Section({ dataset, open, part, onToggle, onContinue }: Props) {
  const { state } = useFormApi();
  const shown = state.datasets[dataset.identifier];
  if (!shown?.visible) return null;
  const hasQuestions = dataset.fields.some((field) => shown.fields[field.name]?.visible);
  if (!hasQuestions && dataset.statements.length === 0) return null;

  const fields = open ? fieldsOf(dataset, part) : dataset.fields;
  if (part?.which === 'rest') {
    // The first part of a closed card has all answers.
    const hasVisibleFields = open && fields.some((field) => shown.fields[field.name]?.visible);
    return hasVisibleFields ? (
      <div className="panel">
        <FieldGrid fields={fields} states={shown.fields} values={state.values} />
        {onContinue && <ContinueButton onContinue={onContinue} />}
      </div>
    ) : null;
  }
  return (
    <section className="panel" aria-labelledby={`card-${dataset.identifier}`}>
      <CardHead id={`card-${dataset.identifier}`} title={dataset.title}>
        {hasQuestions && onToggle && (
          <EditToggle open={open} name={dataset.title} onToggle={onToggle} />
        )}
      </CardHead>
      {dataset.description && <CardText>{dataset.description}</CardText>}
      {dataset.statements.length > 0 && (
        <ul className="bullets" style={{ marginTop: '1rem' }}>
          {dataset.statements.map((statement) => (
            <li key={statement}>{statement}</li>
          ))}
        </ul>
      )}
      {open ? (
        <FieldGrid fields={fields} states={shown.fields} values={state.values} />
      ) : (
        <AnswerList fields={fields} states={shown.fields} values={state.values} />
      )}
      {open && !part && onContinue && <ContinueButton onContinue={onContinue} />}
    </section>
  );
}

export function CardHead(props: {
  id: string;
  title: string;
  level?: 2 | 3;
  children?: ReactNode;
}) {
  return (
    <div className={classes.head}>
      <Title order={props.level ?? 2} id={props.id} className={classes.title} tabIndex={-1}>
        {props.title}
      </Title>
      {props.children && <div className={classes.tools}>{props.children}</div>}
    </div>
  );
}

/**
 * Shows the button that opens or closes a card. The label is "Edit Details" for a closed card and
 * "Confirm Details" for an open card.
 */
export function EditToggle(props: {
  open: boolean;
  name: string;
  onToggle: (open: boolean) => void;
}) {
  const label = props.open ? 'Confirm Details' : 'Edit Details';
  return (
    <Button
      variant="subtle"
      size="sm"
      px="0.75rem"
      leftSection={<Icon name={props.open ? 'check' : 'pencil'} size={18} />}
      onClick={() => props.onToggle(!props.open)}
    >
      {label}
      <VisuallyHidden> {props.name}</VisuallyHidden>
    </Button>
  );
}

export function ContinueButton({
  onContinue,
  mt = '1.5rem',
}: {
  onContinue: () => void;
  mt?: string;
}) {
  return (
    <Button variant="light" mt={mt} onClick={onContinue}>
      Continue
    </Button>
  );
}

export function CardText({ children }: { children: string }) {
  return (
    <Text maw="38rem" mt="0.25rem" c="dimmed">
      {children}
    </Text>
  );
}
