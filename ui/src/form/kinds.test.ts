import { expect, test } from 'vitest';
import { kindOf } from './kinds';
import type { Field } from './types';

test.each([
  ['799', 799],
  ['£799', 799],
  ['£ 799', 799],
  ['1,000', 1000],
  [' £1,234,567.89 ', 1234567.89],
  ['-£5', -5],
  ['10,00', '10,00'],
  ['1,0000', '1,0000'],
  ['1 000', 1000],
  ['£', '£'],
  ['$799', '$799'],
  ['', ''],
])('the amount %s is read as %s', (text, value) => {
  expect(kindOf({ kind: 'number' } as Field).parse?.(text)).toBe(value);
});
