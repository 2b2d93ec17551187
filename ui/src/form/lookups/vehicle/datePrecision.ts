import {
  formatMonth,
  formatMonths,
  parseFormDate,
  parseIsoDate,
  toFormDate,
} from '../../../lib/dates/dates';
import { pathOf, placeOf } from '../../answers/answers';
import { isMissing } from '../../conditions/conditions';
import { useFormApi } from '../../state/FormContext';
import type { Field, Form, PlateAge, Values } from '../../types';
import { usePlateAge } from './usePlateAge';
import { cardOf, filledFields, lookUpOf } from './vehicle';

/** The confirmed precision of a first registration: the period of its plate, or a month. */
export type DatePrecision = 'period' | 'month';

/** Returns the registration whose look-up fills the date at a path, or null if there is none. */
export function registrationFieldFor(
  form: Form,
  path: string,
): { field: Field; path: string } | null {
  const place = placeOf(path);
  for (const dataset of form.datasets) {
    if (place.dataset === undefined ? dataset.multi : dataset.identifier !== place.dataset)
      continue;
    const field = dataset.fields.find(
      (each) =>
        each.kind === 'vehicle_lookup' && each.lookup?.fills.first_registered === place.field,
    );
    if (field) return { field, path: pathOf({ ...place, field: field.name }) };
  }
  return null;
}

/**
 * Checks whether a date is the first day of a month. A month or a longer period is stored as its
 * first day.
 */
export function isFirstOfMonth(value: unknown): boolean {
  return typeof value === 'string' && parseFormDate(value)?.day === 1;
}

/**
 * Returns the confirmed precision of a date, or null for an exact day. For a recognised vehicle the
 * first of a month means that month. For any other vehicle the date must be in the plate's period.
 * If the month matters, the first of a month means that month. If not, the first day of the period
 * means the whole period.
 */
export function datePrecision(
  value: string,
  age: PlateAge | null,
  recognised: boolean,
): DatePrecision | null {
  const date = parseFormDate(value);
  if (date?.day !== 1) return null;
  if (recognised) return 'month';
  const from = parseIsoDate(age?.from);
  if (!age || !from) return null;
  const day = [date.year, date.month, date.day].map((part) => String(part).padStart(2, '0'));
  const isInRange = age.from <= day.join('-') && day.join('-') <= age.until;
  if (age.matters) return isInRange ? 'month' : null;
  return value === toFormDate(from) ? 'period' : null;
}

/**
 * Checks whether the visitor has confirmed the vehicle of a look-up. Without the visitor's answer,
 * checks whether a folded field of the look-up has an answer.
 */
export function isRecognised(
  mark: Field,
  own: Values,
  fields: Field[],
  answer: 'yes' | 'no' | undefined,
): boolean {
  if (answer) return answer === 'yes';
  const filled = filledFields(mark);
  return fields.some(
    ({ name, folded }) =>
      folded && filled.includes(name) && !isMissing(own[name]) && own[name] !== '',
  );
}

/**
 * Returns a date in words if its precision is a month or the plate's period. An example is "March
 * to August 2012". Returns null for an exact day.
 */
export function useDatePrecision(path: string | null, value: unknown): string | null {
  const { form, answers } = useFormApi();
  const mark = path !== null && isFirstOfMonth(value) ? registrationFieldFor(form, path) : null;
  const own = mark ? cardOf(answers, mark.path) : {};
  const plate = mark && own[mark.field.name];
  const recognised =
    mark !== null &&
    isRecognised(
      mark.field,
      own,
      fieldsBeside(form, mark.path),
      lookUpOf(answers, mark.path, plate)?.answer,
    );
  const age = usePlateAge(mark && !recognised ? mark.path : null, plate);
  const date = parseFormDate(String(value ?? ''));
  if (!mark || !date) return null;
  // While the plate's period is unknown, the text names only the month of the date.
  const as =
    !recognised && age === undefined
      ? 'month'
      : datePrecision(String(value), age ?? null, recognised);
  const [from, lastDay] = [parseIsoDate(age?.from), parseIsoDate(age?.until)];
  if (as === 'period' && from && lastDay) return formatMonths(from, lastDay);
  return as && formatMonth(date);
}

/**
 * Returns the month of a first registration whose day is not known, such as "March 2012". Returns
 * null for any other date.
 */
export function monthOfRegistration(form: Form, path: string, value: unknown): string | null {
  const date = isFirstOfMonth(value) ? parseFormDate(String(value)) : null;
  return date && registrationFieldFor(form, path) && formatMonth(date);
}

/** Returns the fields of the card at a path. */
export function fieldsBeside(form: Form, path: string): Field[] {
  const { dataset: identifier, field } = placeOf(path);
  const dataset = form.datasets.find((each) =>
    identifier === undefined
      ? !each.multi && each.fields.some(({ name }) => name === field)
      : each.identifier === identifier,
  );
  return dataset?.fields ?? [];
}
