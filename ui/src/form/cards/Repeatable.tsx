import { Button, Group, VisuallyHidden } from '@mantine/core';
import { useRef } from 'react';
import { confirm } from '../../lib/messages/confirm';
import { Icon } from '../../ui/icons/Icon';
import { canAdd, rowsOf } from '../answers/answers';
import { ErrorText } from '../fields/shared';
import { useFormApi } from '../state/FormContext';
import type { Dataset } from '../types';
import { instanceTitle } from '../validation/errors';
import { AnswerList } from './AnswerList';
import { FieldGrid } from './FieldGrid';
import classes from './Repeatable.module.css';
import { CardHead, CardText, ContinueButton, EditToggle } from './Section';
import { cardKey, type OpenCards } from './useOpenCards';

interface Props {
  dataset: Dataset;
  cards: OpenCards;
  /** Returns the text of a closed instance that has one line instead of a card, or null. */
  lineOf?: (index: number) => string | null;
  onToggle: (key: string, open: boolean) => void;
  onContinue?: () => void;
}

function headingId(dataset: Dataset, index: number): string {
  return `card-${dataset.identifier}-${index}`;
}

function focusSoon(id: string): void {
  requestAnimationFrame(() => document.getElementById(id)?.focus());
}

/** Returns the questions of the confirm dialog: the product's texts, or the defaults. */
function questionsOf({ noun = 'entry', confirm }: Dataset) {
  return {
    clear: confirm?.clear ?? `Are you sure you wish to clear all your ${noun}'s details?`,
    remove: confirm?.remove ?? `Are you sure you wish to remove this ${noun}?`,
  };
}

/** Shows a repeatable dataset: a card for each instance, and a button that adds an instance. */
export function Repeatable({ dataset, cards, lineOf, onToggle, onContinue }: Props) {
  const { answers, state, errors, add, remove, clear } = useFormApi();
  const addButton = useRef<HTMLButtonElement>(null);
  const shown = state.datasets[dataset.identifier];
  if (!shown?.visible) return null;

  const count = shown.instances.length;
  const rows = rowsOf(answers, dataset.identifier);
  const fault = errors[dataset.identifier]?.[0];
  const addItem = () => {
    add(dataset.identifier);
    cards.begin(cardKey(dataset.identifier, count));
    focusSoon(headingId(dataset, count));
  };
  const questions = questionsOf(dataset);
  const clearOnly = async () => {
    if (!(await confirm({ message: questions.clear }))) return;
    clear(dataset.identifier, 0);
    focusSoon(headingId(dataset, 0));
  };
  const removeOne = async (index: number) => {
    if (!(await confirm({ message: questions.remove }))) return;
    remove(dataset.identifier, index);
    if (count === 1) addButton.current?.focus();
    else focusSoon(headingId(dataset, Math.max(index - 1, 0)));
  };

  return (
    <section className={classes.several} aria-labelledby={`card-${dataset.identifier}`}>
      <CardHead id={`card-${dataset.identifier}`} title={dataset.title} />
      {dataset.description && <CardText>{dataset.description}</CardText>}
      {fault && <ErrorText id={`card-${dataset.identifier}-error`}>{fault}</ErrorText>}
      {shown.instances.map((states, index) => {
        const key = cardKey(dataset.identifier, index);
        const open = cards.isOpen(key);
        const title = instanceTitle(dataset, index);
        const values = state.multi[dataset.identifier]?.[index] ?? {};
        const line = open ? null : lineOf?.(index);
        if (line) {
          return (
            <p key={rows[index]} className={classes.line}>
              <strong>{title}</strong> <bdi>{line}</bdi>
            </p>
          );
        }
        return (
          <section key={rows[index]} className="panel" aria-labelledby={headingId(dataset, index)}>
            <CardHead id={headingId(dataset, index)} title={title} level={3}>
              {!cards.isNew(key) && (
                <EditToggle open={open} name={title} onToggle={(next) => onToggle(key, next)} />
              )}
              {count === 1 && <Tool icon="cross" label="Clear" title={title} onClick={clearOnly} />}
              {(count > 1 || dataset.min === 0) && (
                <Tool icon="trash" label="Remove" title={title} onClick={() => removeOne(index)} />
              )}
            </CardHead>
            {open ? (
              <FieldGrid
                fields={dataset.fields}
                states={states}
                values={values}
                place={{ dataset: dataset.identifier, index }}
              />
            ) : (
              <AnswerList
                fields={dataset.fields}
                states={states}
                values={values}
                place={{ dataset: dataset.identifier, index }}
              />
            )}
          </section>
        );
      })}
      <Group gap="sm">
        <Button
          ref={addButton}
          variant="default"
          leftSection={<Icon name="plus" size={20} />}
          disabled={!canAdd(dataset, count)}
          onClick={addItem}
        >
          Add Another
          {dataset.noun && <VisuallyHidden> {dataset.noun}</VisuallyHidden>}
        </Button>
        {onContinue && <ContinueButton mt="0" onContinue={onContinue} />}
      </Group>
      {dataset.another_note && canAdd(dataset, count) && (
        <CardText>{dataset.another_note}</CardText>
      )}
      {!canAdd(dataset, count) && <CardText>That is the most one quote can hold.</CardText>}
    </section>
  );
}

/** Shows a button that clears or removes a card. */
function Tool(props: { icon: string; label: string; title: string; onClick: () => void }) {
  return (
    <Button
      variant="subtle"
      color="red"
      size="sm"
      px="0.75rem"
      leftSection={<Icon name={props.icon} size={18} />}
      onClick={props.onClick}
    >
      {props.label}
      <VisuallyHidden> {props.title}</VisuallyHidden>
    </Button>
  );
}
