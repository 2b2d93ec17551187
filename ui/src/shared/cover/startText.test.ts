import { expect, test } from 'vitest';
import { formatStart } from './startText';

test.each([
  ['2026-11-21T23:30:00Z', 'Starts today, 23:30'],
  ['2026-11-22T00:00:00Z', 'Starts tomorrow'],
  ['2026-11-22T21:19:00Z', 'Starts tomorrow, 21:19'],
  ['2026-11-23T21:19:00Z', 'Starts 23 November 2026, 21:19'],
  ['2026-12-01T00:00:00Z', 'Starts 1 December 2026'],
])('cover that begins at %s: %s', (timestamp, text) => {
  expect(formatStart(timestamp, { year: 2026, month: 11, day: 21 })).toBe(text);
});
