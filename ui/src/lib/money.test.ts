import { expect, test } from 'vitest';
import { formatMoney, formatPremium } from './money';

test('pounds have a sign, thousands and two decimals', () => {
  expect(formatMoney(64.2)).toBe('£64.20');
  expect(formatMoney(1234.5)).toBe('£1,234.50');
  expect(formatMoney(0)).toBe('£0.00');
});

test('a product may sell in another currency', () => {
  expect(formatMoney(5, 'USD', 'en')).toBe('$5.00');
});

test('a product says whether thousands are set apart and whole pounds have pence', () => {
  expect(formatMoney(1234.5, 'GBP', 'en-GB', '0.00')).toBe('£1234.50');
  expect(formatMoney(1234, 'GBP', 'en-GB', '0,0')).toBe('£1,234');
  // Pence are always shown, so that the price shown is the price charged.
  expect(formatMoney(48.1, 'GBP', 'en-GB', '0,0')).toBe('£48.10');
});

test('no amount, or none yet, is no figure', () => {
  expect(formatPremium(null)).toBe('£--.--');
  expect(formatPremium(0)).toBe('£--.--');
  expect(formatPremium(12)).toBe('£12.00');
});
