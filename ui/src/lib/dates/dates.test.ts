import { afterEach, describe, expect, test } from 'vitest';
import { SHOP_DATES, showDates } from './dateStyle';
import {
  addDays,
  compareDates,
  formatDate,
  formatDateTime,
  formatEnd,
  formatLongDate,
  formatShortDay,
  formatTime,
  lastMoment,
  parseFormDate,
  parseIsoDate,
  todayInLondon,
  toFormDate,
  toIsoDate,
  withDates,
} from './dates';

describe('dates', () => {
  test('only days that exist are read', () => {
    expect(parseFormDate('29.02.2028')).toEqual({ year: 2028, month: 2, day: 29 });
    for (const text of [
      '31.02.2026',
      '29.02.2026',
      '00.01.2026',
      '1.13.2026',
      '2026-01-01',
      '',
      null,
    ]) {
      expect(parseFormDate(text), String(text)).toBeNull();
    }
    expect(parseIsoDate('2026-11-21')).toEqual({ year: 2026, month: 11, day: 21 });
    expect(parseIsoDate('2026-11-31')).toBeNull();
  });

  test('both spellings come back as they went in', () => {
    const day = { year: 2026, month: 3, day: 1 };
    expect(parseFormDate(toFormDate(day))).toEqual(day);
    expect(parseIsoDate(toIsoDate(day))).toEqual(day);
    expect(toFormDate(day)).toBe('01.03.2026');
  });

  test('cover ends 364 days after it starts, over a leap day and the clock change too', () => {
    expect(toIsoDate(addDays({ year: 2026, month: 11, day: 22 }, 364))).toBe('2027-11-21');
    expect(toIsoDate(addDays({ year: 2027, month: 3, day: 1 }, 364))).toBe('2028-02-28');
    expect(toIsoDate(addDays({ year: 2026, month: 3, day: 28 }, 1))).toBe('2026-03-29');
  });

  test('today is the day in London, wherever the clock is', () => {
    expect(toIsoDate(todayInLondon(new Date('2026-06-30T23:30:00Z')))).toBe('2026-07-01');
    expect(toIsoDate(todayInLondon(new Date('2026-12-31T23:30:00Z')))).toBe('2026-12-31');
    const london = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/London' });
    const hours = 5 * 366 * 24;
    for (const from of [Date.UTC(1946, 0), Date.UTC(1968, 0), Date.UTC(2026, 0)]) {
      for (let hour = 0; hour < hours; hour += 1) {
        const moment = new Date(from + hour * 3_600_000);
        expect(toIsoDate(todayInLondon(moment))).toBe(london.format(moment));
      }
    }
  });

  test('everything shows as dd/MM/yyyy, and nothing as a question mark', () => {
    expect(formatDate('2026-11-22')).toBe('22/11/2026');
    expect(formatDate('22.11.2026')).toBe('22/11/2026');
    expect(formatDate('2026-06-30T23:30:00Z')).toBe('01/07/2026');
    expect(formatDate(null)).toBe('?');
    expect(formatDate('rubbish')).toBe('?');
    expect(formatLongDate('2026-11-22')).toBe('Sunday 22 November 2026');
  });

  test('a long day is written as a browser writes it', () => {
    const long = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;
    const browser = new Intl.DateTimeFormat('en-GB', { ...long, timeZone: 'UTC' });
    let day = { year: 2023, month: 12, day: 25 };
    for (let count = 0; count < 500; count += 1) {
      const moment = new Date(Date.UTC(day.year, day.month - 1, day.day));
      expect(formatLongDate(day)).toBe(browser.format(moment).replace(',', ''));
      day = addDays(day, 1);
    }
  });

  test('times are London times', () => {
    expect(formatTime('2026-07-01T09:05:00Z')).toBe('10:05');
    expect(formatTime('2026-11-22T00:00:00Z')).toBe('00:00');
    expect(formatDateTime('2026-11-22T10:12:00Z')).toBe('22/11/2026 10:12');
    expect(formatDateTime(null)).toBe('?');
  });

  test('days sort by time', () => {
    expect(
      compareDates({ year: 2026, month: 2, day: 1 }, { year: 2026, month: 1, day: 31 }),
    ).toBeGreaterThan(0);
    expect(compareDates({ year: 2026, month: 2, day: 1 }, { year: 2026, month: 2, day: 1 })).toBe(
      0,
    );
  });

  test('what ends at midnight holds until the day before', () => {
    expect(formatDate(lastMoment('2026-11-23T00:00:00Z'))).toBe('22/11/2026');
    // Midnight in London is 23:00 UTC in summer.
    expect(formatDate(lastMoment('2026-06-22T23:00:00Z'))).toBe('22/06/2026');
    expect(formatDate(lastMoment('2026-11-22T12:00:00Z'))).toBe('22/11/2026');
    expect(lastMoment(null)).toBeNull();
    expect(formatEnd('2026-11-23T00:00:00Z')).toBe('22/11/2026');
    expect(formatEnd('2026-06-22T23:00:00Z')).toBe('22/06/2026');
    expect(formatEnd('2026-11-22T12:00:00Z')).toBe('22/11/2026 12:00');
    expect(formatEnd('2026-11-23T00:00:30Z')).toBe('23/11/2026 00:00');
    expect(formatEnd(null)).toBe('?');
  });
});

test('a day without its year', () => {
  expect(formatShortDay('2026-11-22')).toBe('22 Nov');
  expect(formatShortDay(null)).toBe('?');
});

test('a name is no day, however much it looks like one', () => {
  for (const name of [
    'May 5',
    'March',
    'Smith 2001',
    '1',
    '12',
    '2026',
    'Sunday 22 November 2026',
  ]) {
    expect(formatDate(name), name).toBe('?');
  }
});

describe('days as somebody has chosen', () => {
  afterEach(() => showDates(SHOP_DATES));

  test.each([
    ['dd/MM/yyyy', '03/04/2026'],
    ['dd.MM.yyyy', '03.04.2026'],
    ['dd MMM yyyy', '03 Apr 2026'],
    ['MM/dd/yyyy', '04/03/2026'],
    ['yyyy-MM-dd', '2026-04-03'],
  ] as const)('in figures as %s', (format, shown) => {
    showDates({ format, locale: 'en-GB' });
    expect(formatDate('2026-04-03')).toBe(shown);
    expect(formatDate('03.04.2026')).toBe(shown);
    expect(formatDateTime('2026-04-03T09:00:00Z')).toBe(`${shown} 10:00`);
    expect(withDates('Enter a date on or after 03/04/2026')).toBe(
      `Enter a date on or after ${shown}`,
    );
    // A form date stays, and so does a text that is no day.
    expect(toFormDate({ year: 2026, month: 4, day: 3 })).toBe('03.04.2026');
    expect(withDates('31/02/2026 or 1/2/3')).toBe('31/02/2026 or 1/2/3');
  });

  test('in the words of their country', () => {
    showDates({ format: 'dd/MM/yyyy', locale: 'en-US' });
    expect(formatLongDate('2026-04-03')).toBe('Friday, April 3, 2026');
    expect(formatShortDay('2026-04-03')).toBe('Apr 3');
    expect(formatDate('2026-04-03')).toBe('03/04/2026');
    showDates(SHOP_DATES);
    expect(formatLongDate('2026-04-03')).toBe('Friday 3 April 2026');
  });
});
