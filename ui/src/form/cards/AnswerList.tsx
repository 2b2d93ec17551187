import { Text, VisuallyHidden } from '@mantine/core';
import { LinkButton } from '../../ui/basics/LinkButton';
import { pathOf } from '../answers/answers';
import type { FieldStates } from '../conditions/visibility';
import { AnswerInWords } from '../lookups/AnswerInWords';
import { answerText, plainLabel } from '../review/display';
import { useFormApi } from '../state/FormContext';
import type { Field, Values } from '../types';
import classes from './AnswerList.module.css';

interface Props {
  fields: Field[];
  states: FieldStates;
  values: Values;
  place?: { dataset: string; index: number };
  /** The instance, such as "Vehicle 2", for screen readers that read the link alone. */
  card?: string;
  onChange?: (field: Field) => void;
}

/**
 * Shows each visible question with its answer as text. If `onChange` is given, each answer that may
 * change has a link to change it.
 */
export function AnswerList({ fields, states, values, place, card, onChange }: Props) {
  const { derived } = useFormApi();
  const shown = fields.filter((field) => states[field.name]?.visible);
  return (
    <dl
      className={`rows answers ${classes.answers}`}
      data-changeable={onChange !== undefined || undefined}
    >
      {shown.map((field) => {
        // A missing answer is left out if it is optional or display-only.
        const value = derived[field.name] ?? values[field.name];
        const answer = answerText(field, value);
        if (!answer && (field.display_only || !field.required)) return null;
        return (
          <div key={field.name}>
            <dt>{plainLabel(field)}</dt>
            <dd data-kind={answer ? field.kind : undefined}>
              {answer ? (
                <AnswerInWords
                  field={field}
                  path={pathOf({ ...place, field: field.name })}
                  value={value}
                />
              ) : (
                <Text span c="dimmed">
                  Not answered
                </Text>
              )}
            </dd>
            {onChange && !field.display_only && !field.locked && (
              <dd className={classes.change}>
                <LinkButton onClick={() => onChange(field)}>
                  Change
                  <VisuallyHidden>
                    {' '}
                    {card ? `${card}: ` : ''}
                    {plainLabel(field)}
                  </VisuallyHidden>
                </LinkButton>
              </dd>
            )}
          </div>
        );
      })}
    </dl>
  );
}
