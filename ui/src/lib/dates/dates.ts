import { type DateFormat, dateStyle } from './dateStyle';

/** A day without a time, as in forms and policies. */
export interface PlainDate {
  year: number;
  month: number;
  day: number;
}

const LONDON = 'Europe/London';

/**
 * The formatter is created on demand, because the first use of `Intl` takes about 0.1 seconds on a
 * phone.
 */
let londonParts: Intl.DateTimeFormat | undefined;

const LONG = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;
const SHORT = { day: 'numeric', month: 'short' } as const;
const DAY = { day: 'numeric', month: 'long', year: 'numeric' } as const;
const MONTH = { month: 'short' } as const;
const LONG_MONTH = { month: 'long' } as const;
const MONTH_AND_YEAR = { month: 'long', year: 'numeric' } as const;

const writers = new Map<string, Intl.DateTimeFormat>();

const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );
const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

/** Formats a British day without `Intl`. The first use of `Intl` takes about 0.1 s on a phone. */
function inBritishWords(date: PlainDate, parts: Intl.DateTimeFormatOptions): string {
  const weekday = new Date(Date.UTC(date.year, date.month - 1, date.day)).getUTCDay();
  const words = [
    parts.weekday && WEEKDAYS[weekday],
    parts.day && date.day,
    MONTHS[date.month - 1],
    parts.year && date.year,
  ];
  return words.filter(Boolean).join(' ');
}

/** Formats the given parts of a date in words, in the reader's locale. */
function inWords(date: PlainDate, parts: Intl.DateTimeFormatOptions): string {
  const { locale } = dateStyle.get();
  if (locale === 'en-GB' && parts.month === 'long') return inBritishWords(date, parts);
  const key = `${locale}|${Object.keys(parts).join()}`;
  let writer = writers.get(key);
  if (!writer) {
    writer = new Intl.DateTimeFormat(locale, { ...parts, timeZone: 'UTC' });
    writers.set(key, writer);
  }
  return writer.format(new Date(Date.UTC(date.year, date.month - 1, date.day)));
}

function pad(value: number, width = 2): string {
  return String(value).padStart(width, '0');
}

function checked(year: number, month: number, day: number): PlainDate | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  date.setUTCFullYear(year);
  const real =
    date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return real ? { year, month, day } : null;
}

/** Reads the form's `dd.MM.yyyy`. Returns null for any text that is no real day. */
export function parseFormDate(text: string | null | undefined): PlainDate | null {
  const match = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text?.trim() ?? '');
  return match ? checked(Number(match[3]), Number(match[2]), Number(match[1])) : null;
}

/** Reads the API's `yyyy-MM-dd`. Returns null for any text that is no real day. */
export function parseIsoDate(text: string | null | undefined): PlainDate | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text ?? '');
  return match ? checked(Number(match[1]), Number(match[2]), Number(match[3])) : null;
}

export function toFormDate(date: PlainDate): string {
  return `${pad(date.day)}.${pad(date.month)}.${pad(date.year, 4)}`;
}

export function toIsoDate(date: PlainDate): string {
  return `${pad(date.year, 4)}-${pad(date.month)}-${pad(date.day)}`;
}

export function addDays(date: PlainDate, days: number): PlainDate {
  const result = new Date(Date.UTC(date.year, date.month - 1, date.day + days));
  return {
    year: result.getUTCFullYear(),
    month: result.getUTCMonth() + 1,
    day: result.getUTCDate(),
  };
}

/** Returns a negative number if `a` is before `b`, zero if both are equal, or a positive number. */
export function compareDates(a: PlainDate, b: PlainDate): number {
  return a.year - b.year || a.month - b.month || a.day - b.day;
}

function inLondon(moment: Date): Record<string, string> {
  londonParts ??= new Intl.DateTimeFormat('en-GB', {
    timeZone: LONDON,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return Object.fromEntries(londonParts.formatToParts(moment).map((p) => [p.type, p.value]));
}

/** From this year on, London is never more than an hour ahead of UTC. */
const NO_DOUBLE_SUMMER_TIME = 1948;

/** Returns the date in London at the moment `now`, whatever the visitor's time zone. */
export function todayInLondon(now: Date = new Date()): PlainDate {
  const year = now.getUTCFullYear();
  // London is at UTC or an hour ahead. So the dates differ only in the last hour of the day in UTC.
  if (now.getUTCHours() < 23 && year >= NO_DOUBLE_SUMMER_TIME) {
    return { year, month: now.getUTCMonth() + 1, day: now.getUTCDate() };
  }
  const parts = inLondon(now);
  return { year: Number(parts.year), month: Number(parts.month), day: Number(parts.day) };
}

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T/;

/** Returns the day of a plain date, a form date or a timestamp. Returns null for any other text. */
function anyDate(value: string | PlainDate | null | undefined): PlainDate | null {
  if (!value) return null;
  if (typeof value !== 'string') return value;
  const plain = parseIsoDate(value) ?? parseFormDate(value);
  if (plain || !TIMESTAMP.test(value)) return plain;
  const moment = new Date(value);
  return Number.isNaN(moment.getTime()) ? null : todayInLondon(moment);
}

/** Formats a day as `dd/MM/yyyy`, the server's format of a day in digits. */
export function serverDate({ day, month, year }: PlainDate): string {
  return `${pad(day)}/${pad(month)}/${pad(year, 4)}`;
}

export function inFormat(date: PlainDate, format: DateFormat): string {
  const write: Record<string, () => string> = {
    dd: () => pad(date.day),
    MM: () => pad(date.month),
    MMM: () => inWords(date, MONTH),
    yyyy: () => pad(date.year, 4),
  };
  return format.replace(/yyyy|MMM|MM|dd/g, (part) => write[part]?.() ?? part);
}

/**
 * Formats a plain date, a form date or a timestamp. The format is the reader's, or dd/MM/yyyy if
 * the reader chose none. Returns "?" if there is no date.
 */
export function formatDate(value: string | PlainDate | null | undefined): string {
  const date = anyDate(value);
  return date ? inFormat(date, dateStyle.get().format) : '?';
}

/** Returns a server's text, with its days in the reader's format. */
export function withDates(text: string): string {
  return text.replace(/\b(\d{2})\/(\d{2})\/(\d{4})\b/g, (match, day, month, year) => {
    const date = checked(Number(year), Number(month), Number(day));
    return date ? formatDate(date) : match;
  });
}

/** Formats a day as "Saturday 21 November 2026", for use inside sentences. */
export function formatLongDate(value: string | PlainDate | null | undefined): string {
  const date = anyDate(value);
  return date ? inWords(date, LONG) : '?';
}

/** Formats a day as "21 November 2026", for places without space for the weekday. */
export function formatDayInWords(value: string | PlainDate | null | undefined): string {
  const date = anyDate(value);
  return date ? inWords(date, DAY) : '?';
}

/** Formats a month as "March 2012", for use inside sentences. */
export function formatMonth(date: PlainDate): string {
  return inWords(date, MONTH_AND_YEAR);
}

/** Returns the first day of each month, from the month of `from` to the month of `to`. */
export function monthsBetween(from: PlainDate, to: PlainDate): PlainDate[] {
  const count = (to.year - from.year) * 12 + to.month - from.month + 1;
  return Array.from({ length: Math.max(count, 0) }, (_, index) => {
    const month = from.month - 1 + index;
    return { year: from.year + Math.floor(month / 12), month: (month % 12) + 1, day: 1 };
  });
}

/**
 * Formats a period as "March to August 2012" or "September 2012 to February 2013". Formats equal
 * dates as one month.
 */
export function formatMonths(from: PlainDate, to: PlainDate): string {
  if (compareDates(from, to) === 0) return formatMonth(from);
  const first = from.year === to.year ? inWords(from, LONG_MONTH) : formatMonth(from);
  return `${first} to ${formatMonth(to)}`;
}

/** Formats a day as "22 Nov", for a place that shows the year too. */
export function formatShortDay(value: string | PlainDate | null | undefined): string {
  const date = anyDate(value);
  return date ? inWords(date, SHORT) : '?';
}

/** Formats the time in London as `HH:mm`. */
export function formatTime(timestamp: string): string {
  const moment = new Date(timestamp);
  if (Number.isNaN(moment.getTime())) return '?';
  const parts = inLondon(moment);
  return `${parts.hour}:${parts.minute}`;
}

/**
 * Formats a moment as "22 November 2026". If the time is not midnight in London, formats the moment
 * as "22 November 2026, 14:03".
 */
export function formatBeginning(timestamp: string): string {
  const day = formatDayInWords(timestamp);
  const time = formatTime(timestamp);
  return time === '00:00' ? day : `${day}, ${time}`;
}

/**
 * Formats the day as `formatDate` does, and the time in London as `HH:mm`. Returns "?" for a
 * missing timestamp.
 */
export function formatDateTime(timestamp: string | null | undefined): string {
  return timestamp ? `${formatDate(timestamp)} ${formatTime(timestamp)}` : '?';
}

/**
 * Returns the moment one second before `expiry`. A quote that expires at midnight is valid until
 * the end of the day before. Returns null for a missing or invalid time.
 */
export function lastMoment(expiry: string | null): string | null {
  const moment = expiry === null ? Number.NaN : Date.parse(expiry);
  return Number.isNaN(moment) ? null : new Date(moment - 1000).toISOString();
}

/**
 * Returns the last day of a period that ends at midnight in London. Returns null if the period ends
 * at another time, or if the end is missing.
 */
export function lastDay(expiry: string | null | undefined): PlainDate | null {
  const [last, end] = [anyDate(lastMoment(expiry ?? null)), anyDate(expiry)];
  return last && end && compareDates(last, end) < 0 ? last : null;
}

/**
 * Formats the end of a period. Returns the last day if the period ends at midnight in London.
 * Returns the day and the time if the period ends at another time.
 */
export function formatEnd(expiry: string | null | undefined): string {
  const day = lastDay(expiry);
  return day ? formatDate(day) : formatDateTime(expiry);
}
