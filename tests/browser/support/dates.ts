import { now } from './clock.ts';

const london = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London' });

/** Returns a day counted from today, by the tests' time in London. */
function fromToday(days: number): [year: string, month: string, day: string] {
  const [year, month, day] = london.format(now()).split('-').map(Number);
  const date = new Date(Date.UTC(year ?? 0, (month ?? 1) - 1, (day ?? 1) + days));
  return date.toISOString().slice(0, 10).split('-') as [string, string, string];
}

/** Returns "27/03/2026", the typed and shown format. */
export function shownDate(days: number): string {
  return fromToday(days).toReversed().join('/');
}

/** Returns "27.03.2026", the format of the API. */
export function wire(days: number): string {
  return fromToday(days).toReversed().join('.');
}

const inWords = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});

/** Returns "Friday 27 March 2026", for use inside sentences. */
export function long(days: number): string {
  return inWords.format(new Date(fromToday(days).join('-'))).replace(',', '');
}
