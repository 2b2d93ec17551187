import { expect, test } from 'vitest';
import { calendarFile } from './calendarFile';

const COVER = {
  uuid: '0197f3c2-0000-7000-8000-000000000001',
  reference: 'BRK000000018',
  title: 'Breakdown; home, and “Europe” cover for everybody in the household who drives',
  phone: '01632 960 999',
  begins: '2027-07-08T23:00:00Z',
  lastDay: '2028-02-29',
  url: 'https://shop.test/policy/view/0197f3c2-0000-7000-8000-000000000001',
};
const NOW = new Date('2027-07-01T12:00:00.123Z');

test('the file has the start to the minute, the last day and the number', () => {
  const file = calendarFile(COVER, NOW);
  const unfolded = file.replaceAll('\r\n ', '').split('\r\n');
  expect(unfolded[0]).toBe('BEGIN:VCALENDAR');
  expect(unfolded.filter((line) => line === 'BEGIN:VEVENT')).toHaveLength(2);
  expect(unfolded).toContain('DTSTAMP:20270701T120000Z');
  expect(unfolded).toContain('DTSTART:20270708T230000Z');
  // By RFC 5545 an end is later than its start, and the end of a whole day is the next day.
  expect(file.match(/DTEND/g)).toHaveLength(1);
  expect(unfolded).toContain('DTSTART;VALUE=DATE:20280229');
  expect(unfolded).toContain('DTEND;VALUE=DATE:20280301');
  expect(unfolded).toContain('DESCRIPTION:Policy BRK000000018. Broken down? Call 01632 960 999.');
  expect(unfolded).toContain(
    'SUMMARY:Breakdown\\; home\\, and “Europe” cover for everybody in the household who drives begins',
  );
});

test('each line ends with CRLF and has at most 75 bytes', () => {
  const file = calendarFile(COVER, NOW);
  expect(file.endsWith('END:VCALENDAR\r\n')).toBe(true);
  for (const line of file.split('\r\n')) {
    expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75);
  }
});

test('the same cover has the same ids, so a second import doubles nothing', () => {
  const ids = (file: string) => file.match(/UID:.*/g);
  expect(ids(calendarFile(COVER, NOW))).toEqual(ids(calendarFile(COVER, new Date())));
});
