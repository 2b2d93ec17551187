import { Fragment } from 'react';
import { Icon } from '../../ui/icons/Icon';
import { pathOf } from '../answers/answers';
import type { FieldStates } from '../conditions/visibility';
import { DeclineNotice } from '../fields/DeclineNotice';
import { FieldInput } from '../fields/FieldInput';
import { useHiddenFields } from '../lookups/hiddenFields';
import { answerText } from '../review/display';
import { useFormApi } from '../state/FormContext';
import type { Field, Scalar, Values } from '../types';
import classes from './FieldGrid.module.css';

interface Props {
  fields: Field[];
  states: FieldStates;
  values: Values;
  place?: { dataset: string; index: number };
}

/** The questions of one group on a card. */
interface FieldGroup {
  title: string | undefined;
  fields: Field[];
}

/** Groups the fields. A field with a group's name starts the group. */
function groupsOf(fields: Field[]): FieldGroup[] {
  const groups: FieldGroup[] = [{ title: undefined, fields: [] }];
  for (const field of fields) {
    if (field.group) groups.push({ title: field.group, fields: [] });
    groups.at(-1)?.fields.push(field);
  }
  return groups;
}

/** Shows the visible questions of one card, in groups. */
export function FieldGrid({ fields, states, values, place }: Props) {
  const { decisions } = useFormApi();
  const hidden = useHiddenFields(fields, place);
  const decisionOf = (field: Field) => decisions[pathOf({ ...place, field: field.name })];
  const isShown = (field: Field) =>
    Boolean(states[field.name]?.visible && (!hidden.has(field.name) || decisionOf(field)));
  const groups = groupsOf(fields).filter((group) => group.fields.some(isShown));

  return groups.map((group) => {
    const cells = (
      <div className={classes.grid}>
        {group.fields.filter(isShown).map((field) =>
          hidden.has(field.name) ? (
            <div key={field.name} className={classes.cell} data-cell>
              <DeclineNotice text={decisionOf(field) ?? ''} />
            </div>
          ) : (
            <Cell
              key={field.name}
              field={field}
              state={states[field.name]}
              value={values[field.name]}
              place={place}
            />
          ),
        )}
      </div>
    );
    const key = group.fields[0]?.name;
    if (!group.title) return <Fragment key={key}>{cells}</Fragment>;
    return (
      <fieldset key={key} className={classes.group}>
        <legend className={classes.about}>{group.title}</legend>
        {cells}
      </fieldset>
    );
  });
}

interface CellProps {
  field: Field;
  state: FieldStates[string] | undefined;
  value: Scalar | undefined;
  place: Props['place'];
}

function Cell({ field, state, value, place }: CellProps) {
  const { derived } = useFormApi();
  if (!state) return null;
  return (
    <div
      className={classes.cell}
      data-cell
      data-width={field.lookup ? 'full' : (field.width ?? 'full')}
    >
      {field.display_only ? (
        <Fixed field={field} value={derived[field.name] ?? value} />
      ) : (
        <FieldInput
          field={state.required === field.required ? field : { ...field, required: state.required }}
          path={pathOf({ ...place, field: field.name })}
          options={state.options}
        />
      )}
    </div>
  );
}

/** Shows a display-only answer as text. A locked field also shows its help text. */
function Fixed({ field, value }: { field: Field; value: Scalar | undefined }) {
  const text = answerText(field, value);
  if (!text) return null;
  return (
    <dl data-rows className={classes.fixed}>
      <dt>{field.label}</dt>
      <dd className="tabular">
        {text}
        {field.locked && field.help && (
          <span className="hint iconLine">
            <Icon name="lock" size={16} />
            {field.help}
          </span>
        )}
      </dd>
    </dl>
  );
}
