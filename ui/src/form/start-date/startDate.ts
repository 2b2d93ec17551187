import {
  addDays,
  compareDates,
  type PlainDate,
  parseFormDate,
  toFormDate,
} from '../../lib/dates/dates';
import { pathOf, readAnswer, writeAnswer } from '../answers/answers';
import type { FormState } from '../conditions/visibility';
import type { Answers, Field, Form, SerializedProduct } from '../types';
import { dateWindow } from '../validation/dateWindow';
import { lookUpAt } from '../validation/validate';

// Start dates of cover or of trips. Their limits and defaults depend on the present day.

/** A start date that can no longer be chosen: its day is before the first allowed day. */
export interface ExpiredDate {
  path: string;
  day: PlainDate;
  /** The field's default today. Null if the field has no default that moves with the day. */
  earliest: PlainDate | null;
}

/**
 * Checks whether a field is a start date: an editable date whose first allowed day is today or
 * later.
 */
export function isStartDate(field: Field): boolean {
  const limit = field.validation.min_date;
  const isEditable = field.kind === 'date' && !field.display_only && !field.locked;
  return isEditable && limit?.from === 'today' && limit.days >= 0;
}

/** Returns the default of a field on a day, or null if no default moves with the day. */
function defaultOn(field: Field, day: PlainDate): PlainDate | null {
  const from = field.default_from;
  return from ? addDays(day, from.days) : null;
}

interface StartDate {
  field: Field;
  path: string;
  day: PlainDate;
}

/**
 * Returns the start dates that the visitor has answered in visible fields, in the order of the
 * form.
 */
function startDates(form: Form, answers: Answers, state: FormState): StartDate[] {
  return form.datasets.flatMap((dataset) => {
    const shown = state.datasets[dataset.identifier];
    if (!shown?.visible) return [];
    return dataset.fields.filter(isStartDate).flatMap((field) => {
      const places = dataset.multi
        ? shown.instances.map((fields, index) => ({ fields, dataset: dataset.identifier, index }))
        : [{ fields: shown.fields }];
      return places.flatMap(({ fields, ...place }) => {
        if (!fields[field.name]?.visible) return [];
        const path = pathOf({ ...place, field: field.name });
        const answer = readAnswer(answers, path);
        const day = typeof answer === 'string' ? parseFormDate(answer) : null;
        return day ? [{ field, path, day }] : [];
      });
    });
  });
}

/** Returns the earliest start date, or null if none is answered. */
export function firstDay(form: Form, answers: Answers, state: FormState): PlainDate | null {
  const days = startDates(form, answers, state).map(({ day }) => day);
  return days.sort(compareDates)[0] ?? null;
}

function isSame(one: PlainDate, other: PlainDate | null): boolean {
  return other !== null && compareDates(one, other) === 0;
}

/** Returns the start dates that can no longer be chosen today. */
export function expiredDates(form: Form, answers: Answers, state: FormState, today: PlainDate) {
  return startDates(form, answers, state).flatMap(({ field, path, day }): ExpiredDate[] => {
    const { from } = dateWindow(field, lookUpAt(state, path));
    const hasPassed = from !== null && compareDates(day, from) < 0;
    return hasPassed ? [{ path, day, earliest: defaultOn(field, today) }] : [];
  });
}

/**
 * Returns the paths of the start dates that equal their defaults on `asOf`. On that day the visitor
 * started or saved the answers.
 */
export function pathsAtDefault(
  form: Form,
  answers: Answers,
  state: FormState,
  asOf: PlainDate,
): string[] {
  const dates = startDates(form, answers, state);
  return dates.flatMap(({ field, path, day }) =>
    isSame(day, defaultOn(field, asOf)) ? [path] : [],
  );
}

/**
 * Returns the answers with today's defaults at these paths. A start date without such a default
 * stays.
 */
export function applyDefaults(
  form: Form,
  answers: Answers,
  state: FormState,
  paths: string[],
  today: PlainDate,
): Answers {
  let updated = answers;
  for (const { field, path } of startDates(form, answers, state)) {
    const day = paths.includes(path) ? defaultOn(field, today) : null;
    if (day) updated = writeAnswer(updated, path, toFormDate(day));
  }
  return updated;
}

/**
 * Returns the request without the top-level values at `paths`. The server then sets its own
 * defaults. The server's defaults are right even if midnight passes or the device's clock is wrong.
 */
export function withoutDefaults(product: SerializedProduct, paths: string[]): SerializedProduct {
  const values = Object.entries(product.values).filter(([name]) => !paths.includes(name));
  return { ...product, values: Object.fromEntries(values) };
}

/**
 * Returns the day on which the server made a form, from a default that moves with the day. Returns
 * `today` if the form has no such default.
 */
export function dayOfForm(form: Form, today: PlainDate): PlainDate {
  const fields = form.datasets.flatMap((dataset) => dataset.fields);
  const field = fields.find((each) => each.default_from && typeof each.default === 'string');
  const day = parseFormDate(String(field?.default));
  return day && field?.default_from ? addDays(day, -field.default_from.days) : today;
}
