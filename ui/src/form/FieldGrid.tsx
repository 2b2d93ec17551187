import { Icon } from '../components/icons/Icon';
import { pathOf } from './answers';
import classes from './Cards.module.css';
import { answerText } from './display';
import { useFormApi } from './FormContext';
import { Decision } from './fields/Decision';
import { FieldInput } from './fields/FieldInput';
import { useHiddenFields } from './lookups/hidden';
import type { Field, Scalar, Values } from './types';
import type { FieldStates } from './visibility';

interface Props {
  fields: Field[];
  states: FieldStates;
  values: Values;
  place?: { dataset: string; index: number };
}

/** The questions of one card, on a grid by the widths of the fields. */
export function FieldGrid({ fields, states, values, place }: Props) {
  const { derived, decisions } = useFormApi();
  const hidden = useHiddenFields(fields, place);
  return (
    <div className={classes.grid}>
      {fields.map((field) => {
        const state = states[field.name];
        if (!state?.visible) return null;
        if (hidden.has(field.name)) {
          const said = decisions[pathOf({ ...place, field: field.name })];
          return (
            said && (
              <div key={field.name} className={classes.cell} data-cell>
                <Decision text={said} />
              </div>
            )
          );
        }
        return (
          <div
            key={field.name}
            className={classes.cell}
            data-cell
            data-width={field.lookup ? 'full' : (field.width ?? 'full')}
          >
            {field.display_only ? (
              <Fixed field={field} value={derived[field.name] ?? values[field.name]} />
            ) : (
              <FieldInput
                field={
                  state.required === field.required ? field : { ...field, required: state.required }
                }
                path={pathOf({ ...place, field: field.name })}
                options={state.options}
              />
            )}
          </div>
        );
      })}
    </div>
  );
}

/** A locked or derived answer as text, with the reason why it can't be changed. */
function Fixed({ field, value }: { field: Field; value: Scalar | undefined }) {
  const text = answerText(field, value);
  if (!text) return null;
  return (
    <dl data-rows className={classes.fixed}>
      <dt>{field.label}</dt>
      <dd className="tabular">
        {text}
        {field.locked && field.help && (
          <span className={classes.locked}>
            <Icon name="lock" size={16} />
            {field.help}
          </span>
        )}
      </dd>
    </dl>
  );
}
