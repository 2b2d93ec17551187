import type { DayRange } from '../../api/policies/policyTypes';
import { exampleDate } from '../../form/fields/date/dates';
import {
  addDays,
  compareDates,
  formatDate,
  type PlainDate,
  parseFormDate,
  parseIsoDate,
  toIsoDate,
} from '../../lib/dates/dates';

/** The choice between the first possible day and a later day, for a change or a cancellation. */
export interface StartChoice {
  isLater: boolean;
  /** The text of the date input: `dd.MM.yyyy`, or the typed text if the text is no date. */
  text: string;
}

export const NOW: StartChoice = { isLater: false, text: '' };

/** The days to choose from, including both ends. */
export interface DateRange {
  from: PlainDate;
  to: PlainDate;
}

/**
 * Moves the first day of a range by `first` days and the last day by `last` days. Returns null
 * without a valid range, or if no day is left.
 */
function daysOf(range: DayRange | null | undefined, first: number, last: number): DateRange | null {
  const from = parseIsoDate(range?.first);
  const to = parseIsoDate(range?.last);
  if (!from || !to) return null;
  const days = { from: addDays(from, first), to: addDays(to, last) };
  return compareDates(days.from, days.to) <= 0 ? days : null;
}

/**
 * Returns the days after the first possible day on which a change may start. Returns null if there
 * are none.
 */
export function futureStartRange(range: DayRange | null | undefined): DateRange | null {
  return daysOf(range, 1, 0);
}

/**
 * Returns the days that can be the last day of cover, or null if there are none. `range` holds the
 * first days without cover.
 */
export function lastCoveredDays(range: DayRange | null | undefined): DateRange | null {
  return daysOf(range, -1, -1);
}

/**
 * Returns the day before or after `day`, as `yyyy-MM-dd`. Returns a `day` in another format
 * unchanged.
 */
export function addDaysTo(day: string, days: 1 | -1): string {
  const date = parseIsoDate(day);
  return date ? toIsoDate(addDays(date, days)) : day;
}

/**
 * Returns the error of the chosen later day. Returns null if the day is valid, or if the choice is
 * not a later day. Also returns null without days to choose from. `missing` is the error of an
 * empty input.
 */
export function validateDay(
  choice: StartChoice,
  days: DateRange | null,
  missing: string,
): string | null {
  if (!choice.isLater || !days) return null;
  if (choice.text.trim() === '') return missing;
  const day = parseFormDate(choice.text);
  if (!day) return `Enter a real date, such as ${exampleDate()}`;
  if (compareDates(day, days.from) < 0 || compareDates(day, days.to) > 0) {
    return `Enter a date from ${formatDate(days.from)} to ${formatDate(days.to)}`;
  }
  return null;
}

/**
 * Returns the chosen later day, as `yyyy-MM-dd`. Returns null if the choice is not a later day, or
 * if the day is missing, invalid or not offered.
 */
export function laterDay(choice: StartChoice, days: DateRange | null): string | null {
  if (!choice.isLater || !days || validateDay(choice, days, 'missing') !== null) return null;
  const day = parseFormDate(choice.text);
  return day && toIsoDate(day);
}
