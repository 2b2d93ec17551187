import { describe, expect, test } from 'vitest';
import { keepDate, parseTypedDate } from './dates';

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
    expect(keepDate(typed, today)).toBe(wire);
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
    expect(keepDate(typed, today)).toBe(typed);
  });
});
