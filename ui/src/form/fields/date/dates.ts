import { firstPart } from '../../../lib/dates/dateStyle';
import {
  formatDate,
  type PlainDate,
  parseFormDate,
  parseIsoDate,
  todayInLondon,
  toFormDate,
} from '../../../lib/dates/dates';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

function real(year: number, month: number, day: number): PlainDate | null {
  if (year < 1800 || year > 2999) return null;
  return parseFormDate(toFormDate({ year, month, day }));
}

/**
 * Returns the full year of two digits. A year that would be more than ten years ahead is in the
 * last century. Any other year is in the present century. In 2026, "25" is 2025 and "68" is 1968.
 * Four digits stay.
 */
function fullYear(text: string, today: PlainDate): number {
  const year = Number(text);
  if (text.length > 2) return year;
  const century = Math.floor(today.year / 100) * 100;
  return century + year > today.year + 10 ? century - 100 + year : century + year;
}

const FIGURES = /^(\d{2})(\d{2})(\d{4})$/;
const NUMBERS = /^(\d{1,2})[\s./-]+(\d{1,2})[\s./-]+(\d{4}|\d{2})$/;
const YEAR_FIRST = /^(\d{4})[\s./-]+(\d{1,2})[\s./-]+(\d{1,2})$|^(\d{4})(\d{2})(\d{2})$/;
const DAY_AND_MONTH =
  /^(\d{1,2})(?:st|nd|rd|th)?[\s./-]*(?:of\s+)?([a-z]{3,9})[\s.,/-]*(\d{4}|\d{2})$/;
const MONTH_AND_DAY = /^([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?[\s,]+(\d{4}|\d{2})$/;

/**
 * Reads a typed date, such as 1/3/2012, 01032012, 1 March 2012, 1st Mar 12 or 2012-03-01. In digits
 * the day comes first, unless the customer's date format starts with the month or the year. Returns
 * null for any other text.
 */
export function parseTypedDate(text: string, today: PlainDate = todayInLondon()): PlainDate | null {
  const trimmed = text.trim().toLowerCase();
  const iso = parseIsoDate(trimmed);
  if (iso) return iso;

  const first = firstPart();
  const year = first === 'year' ? YEAR_FIRST.exec(trimmed) : null;
  if (year) {
    const [full, month, day] = year.slice(1).filter((part) => part !== undefined);
    return real(Number(full), Number(month), Number(day));
  }
  const [, firstNumber, secondNumber, last] = FIGURES.exec(trimmed) ?? NUMBERS.exec(trimmed) ?? [];
  if (last !== undefined) {
    const [day, month] =
      first === 'month' ? [secondNumber, firstNumber] : [firstNumber, secondNumber];
    return real(fullYear(last, today), Number(month), Number(day));
  }

  const named = DAY_AND_MONTH.exec(trimmed);
  const monthFirst = named ? null : MONTH_AND_DAY.exec(trimmed);
  const [day, monthText, ending] = named
    ? [named[1], named[2], named[3]]
    : [monthFirst?.[2], monthFirst?.[1], monthFirst?.[3]];
  if (monthText === undefined) return null;
  const month = MONTHS.indexOf(monthText.slice(0, 3)) + 1;
  return month > 0 ? real(fullYear(ending ?? '', today), month, Number(day)) : null;
}

/** Returns a day of this month as an example. No month has its number. */
export const exampleDay = (): PlainDate => ({ ...todayInLondon(), day: 27 });

/** Returns an example of a date in digits, in the customer's date format. */
export const exampleDate = (): string => formatDate(exampleDay());

/**
 * Returns a date answer: `dd.MM.yyyy` if the text is a date, or the typed text if it is no date.
 */
export function normaliseDate(text: string, today?: PlainDate): string {
  const date = parseTypedDate(text, today);
  return date ? toFormDate(date) : text;
}
