import type { FormState } from '../../../form/conditions/visibility';
import type { Dataset, Field, Form, ProductInfo, Values } from '../../../form/types';
import { addDays, compareDates, type PlainDate, parseFormDate } from '../../../lib/dates/dates';
import type { Premium } from '../price/pricing';

/**
 * The first and last day of cover. The last day is null if the form asks for the last day, and the
 * answer is missing.
 */
export interface CoverDates {
  from: string | PlainDate;
  to: string | PlainDate | null;
}

const dateIn = (row: Values | undefined, { name }: Field) => {
  const value = row?.[name];
  return typeof value === 'string' ? parseFormDate(value) : null;
};

const rowsOf = (dataset: Dataset, state: FormState): Values[] =>
  dataset.multi ? (state.multi[dataset.identifier] ?? []) : [state.values];

/**
 * Returns the date field to which the `min_date` of an end date refers, in the same dataset.
 * Returns undefined if there is no such field, or if `end` is not a rateable date.
 */
function beginningOf(end: Field, dataset: Dataset): Field | undefined {
  if (end.kind !== 'date' || !end.rateable) return undefined;
  const from = end.validation.min_date?.from;
  return dataset.fields.find((field) => field.kind === 'date' && field.name === from);
}

/**
 * Returns the earliest start and the latest end in a form that asks for both, such as for trips.
 * The end is null until each instance has an end date. Returns null if the form does not ask for an
 * end date, or hides the end date.
 */
function periodAsked(form: Form, state: FormState) {
  for (const dataset of form.datasets) {
    for (const end of dataset.fields) {
      const start = beginningOf(end, dataset);
      const rows = rowsOf(dataset, state).filter((row) => end.name in row);
      if (!start || rows.length === 0) continue;
      const starts = rows.flatMap((row) => dateIn(row, start) ?? []).sort(compareDates);
      const ends = rows.flatMap((row) => dateIn(row, end) ?? []).sort(compareDates);
      return {
        from: starts[0] ?? null,
        to: ends.length === rows.length ? (ends.at(-1) ?? null) : null,
      };
    }
  }
  return null;
}

/**
 * Returns the start date in a form that derives the end date from it. Returns null for any other
 * form, or without an answer.
 */
function startAsked(form: Form, state: FormState): PlainDate | null {
  for (const dataset of form.datasets) {
    if (dataset.multi) continue;
    const dates = dataset.fields.filter(
      (field) =>
        field.kind === 'date' && state.datasets[dataset.identifier]?.fields[field.name]?.visible,
    );
    const start = dates.find((field) => !field.display_only);
    if (start && dates.some((field) => field.display_only)) return dateIn(state.values, start);
  }
  return null;
}

/**
 * Returns the dates of the price, or of the answers if there is no price. Returns null if the first
 * day is unknown.
 */
export function coverDates(
  form: Form,
  info: Pick<ProductInfo, 'term_days'>,
  state: FormState,
  premium: Premium | null,
): CoverDates | null {
  const period = periodAsked(form, state);
  if (premium) {
    if (!premium.inception) return null;
    // Without an end date the price is for the shortest trip, so the last day stays unknown.
    const open = premium.per === 'trip' && period !== null && period.to === null;
    return { from: premium.inception, to: open ? null : premium.expiry };
  }
  if (period) return period.from && { from: period.from, to: period.to };
  const start = startAsked(form, state);
  return start && { from: start, to: addDays(start, info.term_days) };
}
