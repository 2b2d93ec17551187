import { registrationFieldFor } from '../../lookups/vehicle/datePrecision';
import { FirstRegistrationDate } from '../../lookups/vehicle/FirstRegistrationDate';
import { controlId, useFormApi } from '../../state/FormContext';
import type { Field } from '../../types';
import { dateWindow } from '../../validation/dateWindow';
import { lookUpAt } from '../../validation/validate';
import { asText, FieldLabel, type FieldProps, WhyWeAsk } from '../shared';
import { DateInput } from './DateInput';

/** Checks whether no future day is allowed, as for a birthday. Such a field has no calendar. */
function isPast(field: Field): boolean {
  const limit = field.validation.max_date;
  return limit?.from === 'today' && limit.days <= 0;
}

/**
 * Shows the control of a date. A date that a look-up may fill gets the questions of
 * `FirstRegistrationDate`.
 */
export function DateField(props: FieldProps) {
  const { field, path, value, error, onChange, onLeave } = props;
  const { form, state } = useFormApi();
  const calendar = !field.locked && !isPast(field);
  const mark = field.locked ? null : registrationFieldFor(form, path);
  const box = (
    <DateInput
      id={controlId(path)}
      name={path}
      label={<FieldLabel field={field} />}
      help={field.help}
      error={error}
      value={asText(value)}
      window={calendar ? dateWindow(field, lookUpAt(state, path)) : null}
      locked={field.locked}
      required={field.required}
      autoComplete={field.autocomplete}
      onChange={onChange}
      onLeave={onLeave}
    >
      <WhyWeAsk field={field} />
    </DateInput>
  );
  if (!mark) return box;
  return (
    <FirstRegistrationDate {...props} mark={mark}>
      {box}
    </FirstRegistrationDate>
  );
}
