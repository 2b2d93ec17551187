import { addDays, parseIsoDate, toIsoDate } from '../../../lib/dates/dates';

export interface CoverEvents {
  uuid: string;
  reference: string;
  /** The product, such as "Vehicle breakdown cover". */
  title: string;
  /** The number to call for help. */
  phone: string;
  /** The moment when the cover begins. */
  begins: string;
  /** The last day of cover, `yyyy-MM-dd`. */
  lastDay: string;
  /** The address of the policy's page. */
  url: string;
}

/** The most bytes of a line, by RFC 5545. */
const LINE_BYTES = 75;

const escapeText = (text: string) =>
  text.replaceAll(/[\\;,]/g, (sign) => `\\${sign}`).replaceAll(/\r?\n/g, '\\n');

/** Folds a line into lines of at most 75 bytes. Each further line begins with a space. */
function fold(line: string): string {
  const encoder = new TextEncoder();
  const lines = [''];
  let size = 0;
  for (const sign of line) {
    const bytes = encoder.encode(sign).length;
    if (size + bytes > LINE_BYTES) {
      lines.push(' ');
      size = 1;
    }
    lines[lines.length - 1] += sign;
    size += bytes;
  }
  return lines.join('\r\n');
}

/** Formats a moment in UTC, such as `20261127T090000Z`. */
const formatMoment = (moment: Date) => moment.toISOString().replaceAll(/[-:]|\.\d+/g, '');

const formatDay = (day: string) => day.replaceAll('-', '');

/** Returns the calendar file of a policy: the start of the cover, and its last day. */
export function calendarFile(cover: CoverEvents, now: Date): string {
  const description = `Policy ${cover.reference}. Broken down? Call ${cover.phone}.`;
  const event = (name: string, summary: string, times: string[]) => [
    'BEGIN:VEVENT',
    `UID:${cover.uuid}-${name}@layby`,
    `DTSTAMP:${formatMoment(now)}`,
    ...times,
    `SUMMARY:${escapeText(summary)}`,
    `DESCRIPTION:${escapeText(description)}`,
    `URL:${cover.url}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
  const last = parseIsoDate(cover.lastDay);
  const dayAfter = last ? toIsoDate(addDays(last, 1)) : cover.lastDay;
  const begins = formatMoment(new Date(cover.begins));
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//layby//cover//EN',
    ...event('begins', `${cover.title} begins`, [`DTSTART:${begins}`]),
    ...event('ends', `Last day of ${cover.title}`, [
      `DTSTART;VALUE=DATE:${formatDay(cover.lastDay)}`,
      `DTEND;VALUE=DATE:${formatDay(dayAfter)}`,
    ]),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${fold(line)}\r\n`).join('');
}
