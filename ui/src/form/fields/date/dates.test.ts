import { afterEach, describe, expect, test } from 'vitest';
import { SHOP_DATES, showDates } from '../../../lib/dates/dateStyle';
import { todayInLondon } from '../../../lib/dates/dates';
import { exampleDate, exampleDay, normaliseDate, parseTypedDate } from './dates';

const today = { year: 2026, month: 11, day: 21 };

describe('a typed date', () => {
  test.each([
    ['27/3/2026', '27.03.2026'],
    ['27.3.26', '27.03.2026'],
    ['27-03-2026', '27.03.2026'],
    ['27 3 2026', '27.03.2026'],
    ['27032026', '27.03.2026'],
    ['27 March 2026', '27.03.2026'],
    ['27th of mar 2026', '27.03.2026'],
    ['1st Sept 68', '01.09.1968'],
    ['2026-03-27', '27.03.2026'],
    [' 29/2/2024 ', '29.02.2024'],
  ])('%s is read', (typed, wire) => {
    expect(normaliseDate(typed, today)).toBe(wire);
  });

  test.each([
    '31.02.2026',
    '29/2/2026',
    '27/13/2026',
    'tomorrow',
    '27/3',
    '1 Foo 2026',
    '1/1/9999',
  ])('%s stays as typed', (typed) => {
    expect(parseTypedDate(typed, today)).toBeNull();
    expect(normaliseDate(typed, today)).toBe(typed);
  });
});

describe('a typed date is read as dates are shown', () => {
  afterEach(() => showDates(SHOP_DATES));

  test('with the month first', () => {
    showDates({ format: 'MM/dd/yyyy', locale: 'en-GB' });
    expect(normaliseDate('3/4/2026', today)).toBe('04.03.2026');
    expect(normaliseDate('03272026', today)).toBe('27.03.2026');
    expect(parseTypedDate('27/3/2026', today)).toBeNull();
    expect(normaliseDate('27 March 2026', today)).toBe('27.03.2026');
    expect(exampleDate()).toMatch(/^\d\d\/27\/\d{4}$/);
    expect(parseTypedDate(exampleDate())).toEqual(exampleDay());
  });

  test('with the year first', () => {
    showDates({ format: 'yyyy-MM-dd', locale: 'en-GB' });
    for (const typed of ['2026-03-27', '2026/3/27', '20260327', '27/3/2026', 'March 27, 2026']) {
      expect(normaliseDate(typed, today), typed).toBe('27.03.2026');
    }
    expect(exampleDate()).toMatch(/^\d{4}-\d\d-27$/);
    expect(parseTypedDate(exampleDate())).toEqual(exampleDay());
  });
});

test('an example is of this month, and reads the same in any order of its parts', () => {
  const { year, month } = todayInLondon();
  expect(exampleDay()).toEqual({ year, month, day: 27 });
  expect(exampleDate()).toBe(`27/${String(month).padStart(2, '0')}/${year}`);
});
