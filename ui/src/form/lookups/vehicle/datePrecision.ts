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

/** How exactly a first registration was agreed: to the half-year of its plate, or to a month of it. */
export type DatePrecision = 'period' | 'month';

/** The registration whose look-up answers the date at a path. */
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

/** Whether a date may stand for a month or more, since those are kept as their first day. */
export function isFirstOfMonth(value: unknown): boolean {
  return typeof value === 'string' && parseFormDate(value)?.day === 1;
}

/**
 * How exactly a date was agreed that is the first of its month; null where it was typed. Within the plate's
 * period the month is asked only where it matters, and a vehicle that was recognised has that of its record.
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

/** Whether a look-up has answered the card: by now, or what nobody is asked for and it alone fills. */
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
 * The date at a path in words where a month or a half-year was agreed, such as "March to August 2012"; null
 * where it is a day.
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
  // Until the plate's period is known, what is certain of both.
  const as =
    !recognised && age === undefined
      ? 'month'
      : datePrecision(String(value), age ?? null, recognised);
  const [from, until] = [parseIsoDate(age?.from), parseIsoDate(age?.until)];
  if (as === 'period' && from && until) return formatMonths(from, until);
  return as && formatMonth(date);
}

/** The fields of the card that a path is on. */
export function fieldsBeside(form: Form, path: string): Field[] {
  const { dataset: identifier, field } = placeOf(path);
  const dataset = form.datasets.find((each) =>
    identifier === undefined
      ? !each.multi && each.fields.some(({ name }) => name === field)
      : each.identifier === identifier,
  );
  return dataset?.fields ?? [];
}
