import {
  type PlainDate,
  parseFormDate,
  parseIsoDate,
  todayInLondon,
  toFormDate,
} from '../lib/dates';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

function real(year: number, month: number, day: number): PlainDate | null {
  if (year < 1800 || year > 2999) return null;
  return parseFormDate(toFormDate({ year, month, day }));
}

/**
 * The year of two digits, the nearest that is not far in the future: "25" is 2025, "68" is 1968.
 */
function fullYear(text: string, today: PlainDate): number {
  const year = Number(text);
  if (text.length > 2) return year;
  const century = Math.floor(today.year / 100) * 100;
  return century + year > today.year + 10 ? century - 100 + year : century + year;
}

/** Reads a typed date, day first: 1/3/2012, 01032012, 1 March 2012, 1st Mar 12; or 2012-03-01. */
export function parseTypedDate(text: string, today: PlainDate = todayInLondon()): PlainDate | null {
  const trimmed = text.trim().toLowerCase();
  const iso = parseIsoDate(trimmed);
  if (iso) return iso;

  const digits = /^(\d{2})(\d{2})(\d{4})$/.exec(trimmed);
  const numeric = digits ?? /^(\d{1,2})[\s./-]+(\d{1,2})[\s./-]+(\d{4}|\d{2})$/.exec(trimmed);
  if (numeric) {
    return real(fullYear(numeric[3] ?? '', today), Number(numeric[2]), Number(numeric[1]));
  }

  const named =
    /^(\d{1,2})(?:st|nd|rd|th)?[\s./-]*(?:of\s+)?([a-z]{3,9})[\s.,/-]*(\d{4}|\d{2})$/.exec(trimmed);
  if (!named) return null;
  const month = MONTHS.indexOf((named[2] ?? '').slice(0, 3)) + 1;
  return month > 0 ? real(fullYear(named[3] ?? '', today), month, Number(named[1])) : null;
}

/** A date answer: `dd.MM.yyyy` if the text is a date, else the text as typed. */
export function keepDate(text: string, today?: PlainDate): string {
  const date = parseTypedDate(text, today);
  return date ? toFormDate(date) : text;
}
