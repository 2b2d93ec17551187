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

/** What was chosen of two answers: at once, or on a later day. */
export interface StartChoice {
  isLater: boolean;
  /** What stands in the box for the later day: `dd.MM.yyyy`, or the text as typed. */
  text: string;
}

export const NOW: StartChoice = { isLater: false, text: '' };

/** The later days to choose from, both included. */
export interface DateRange {
  from: PlainDate;
  to: PlainDate;
}

/** The days of a range, its ends moved by so many days; null where none is left. */
function daysOf(range: DayRange | null | undefined, first: number, last: number): DateRange | null {
  const from = parseIsoDate(range?.first);
  const to = parseIsoDate(range?.last);
  if (!from || !to) return null;
  const days = { from: addDays(from, first), to: addDays(to, last) };
  return compareDates(days.from, days.to) <= 0 ? days : null;
}

/** The days for which a change may be chosen beside the first that is possible. */
export function futureStartRange(range: DayRange | null | undefined): DateRange | null {
  return daysOf(range, 1, 0);
}

/**
 * The days that may be chosen as the last one of the cover. The range is of the first days without
 * cover.
 */
export function lastCoveredDays(range: DayRange | null | undefined): DateRange | null {
  return daysOf(range, -1, -1);
}

/** The day before or after one that is written `yyyy-MM-dd`. */
export function addDaysTo(day: string, days: 1 | -1): string {
  const date = parseIsoDate(day);
  return date ? toIsoDate(addDays(date, days)) : day;
}

/** What is wrong with the chosen day; `missing` is said where there is none yet. */
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

/** The later day that was chosen, as `yyyy-MM-dd`; null at once, or while it is no day on offer. */
export function laterDay(choice: StartChoice, days: DateRange | null): string | null {
  if (!choice.isLater || !days || validateDay(choice, days, 'missing') !== null) return null;
  const day = parseFormDate(choice.text);
  return day && toIsoDate(day);
}
