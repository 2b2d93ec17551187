import { expect, test } from 'vitest';
import { formatMoney, formatPremium } from './money';

test('pounds have a sign, thousands and two decimals', () => {
  expect(formatMoney(64.2)).toBe('£64.20');
  expect(formatMoney(1234.5)).toBe('£1,234.50');
  expect(formatMoney(0)).toBe('£0.00');
});

test('pounds are written as the browser writes them, whatever the amount', () => {
  const browser = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' });
  const amounts = [
    0, -0, 0.005, -0.001, 1.005, 8.345, 999.995, 1e6, 123_456_789.012, 1e14, 1e15, 1e21,
  ];
  for (let step = 0; step < 4000; step += 1) {
    amounts.push((step * 7.3337) ** 2 / 97, Math.round(step ** 2 * 7.37) / 100);
  }
  for (const amount of [...amounts, ...amounts.map((each) => -each), Number.NaN]) {
    expect(formatMoney(amount), String(amount)).toBe(browser.format(amount).replace('-', '−'));
  }
});

test('a product may sell in another currency', () => {
  expect(formatMoney(5, 'USD', 'en')).toBe('$5.00');
});

test('a product says whether thousands are set apart and whole pounds have pence', () => {
  expect(formatMoney(1234.5, 'GBP', 'en-GB', '0.00')).toBe('£1234.50');
  expect(formatMoney(1234, 'GBP', 'en-GB', '0,0')).toBe('£1,234');
  // Pence other than zero are always shown, so that the shown price is the charged price.
  expect(formatMoney(48.1, 'GBP', 'en-GB', '0,0')).toBe('£48.10');
});

test('no amount, or none yet, is no figure', () => {
  expect(formatPremium(null)).toBe('£--.--');
  expect(formatPremium(0)).toBe('£--.--');
  expect(formatPremium(12)).toBe('£12.00');
});
