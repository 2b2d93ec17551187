import { expect, test } from 'vitest';
import { SHOP_DATES } from '../dates/dateStyle';
import { formatAmount } from '../format/money';
import {
  chooseDates,
  DEFAULT_PREFERENCES,
  datesOf,
  preferencesOf,
  storePreferences,
} from './preferences';

const stored = (user: string) =>
  JSON.parse(localStorage.getItem(`layby.preferences.${user}`) ?? '');

test('the first login writes the defaults, for that person alone', () => {
  localStorage.clear();
  storePreferences('ann');
  expect(stored('ann')).toEqual({
    dateFormat: 'MM/dd/yyyy',
    datePickerFormat: 'dd MMM y',
    money: { prefix: true, currency: 'GBP', display: '£', locale: 'en-GB', format: '0,0.00' },
  });
  expect(localStorage.length).toBe(1);
  storePreferences(null);
  expect(localStorage.length).toBe(1);
});

test('what a person chose stays through the next login, and is nobody else’s', () => {
  const money = { ...DEFAULT_PREFERENCES.money, prefix: false };
  localStorage.setItem(
    'layby.preferences.ann',
    JSON.stringify({ ...DEFAULT_PREFERENCES, dateFormat: 'dd.MM.yyyy', money }),
  );
  storePreferences('ann');
  expect(preferencesOf('ann')).toEqual({
    ...DEFAULT_PREFERENCES,
    dateFormat: 'dd.MM.yyyy',
    money,
  });
  expect(preferencesOf('bob')).toEqual(DEFAULT_PREFERENCES);
});

test('rubbish gives way to the defaults, and only the rubbish', () => {
  for (const text of ['{broken', '7', 'null', '[]', '{"money":5,"dateFormat":" "}']) {
    localStorage.setItem('layby.preferences.ann', text);
    expect(preferencesOf('ann'), text).toEqual(DEFAULT_PREFERENCES);
  }
  localStorage.setItem(
    'layby.preferences.ann',
    JSON.stringify({ money: { locale: 'no such place', format: 'lots', display: 'GBP' } }),
  );
  storePreferences('ann');
  expect(stored('ann').money).toEqual({ ...DEFAULT_PREFERENCES.money, display: 'GBP' });
});

test('amounts follow the money format, and the currency they are in', () => {
  const { money } = DEFAULT_PREFERENCES;
  expect(formatAmount(1234.5, 'GBP', money)).toBe('£1,234.50');
  expect(formatAmount(1234.5, 'EUR', money)).toBe('€1,234.50');
  expect(formatAmount(1234.5, 'GBP', { ...money, prefix: false, display: 'pounds' })).toBe(
    '1,234.50 pounds',
  );
  expect(formatAmount(1234.5, 'GBP', { ...money, format: '0' })).toBe('£1235');
  expect(formatAmount(0, 'GBP', money)).toBe('--.--');
  expect(formatAmount(null, 'GBP', money)).toBe('--.--');
});

test('dates are shown as the shop does until somebody chooses, whatever the stored default', () => {
  localStorage.clear();
  storePreferences('ann');
  expect(stored('ann').dateFormat).toBe('MM/dd/yyyy');
  expect(datesOf('ann')).toEqual({ format: 'dd/MM/yyyy', locale: 'en-GB' });
  expect(datesOf(null)).toBe(SHOP_DATES);

  // The stored default may be chosen too.
  expect(chooseDates('ann', { format: 'MM/dd/yyyy', locale: 'en-US' })).toBe(true);
  storePreferences('ann');
  expect(stored('ann')).toEqual({
    ...DEFAULT_PREFERENCES,
    money: { ...DEFAULT_PREFERENCES.money, locale: 'en-US' },
    chosen: true,
  });
  expect(datesOf('ann')).toEqual({ format: 'MM/dd/yyyy', locale: 'en-US' });
  expect(datesOf('bob')).toBe(SHOP_DATES);
  const invalid = { ...stored('ann'), dateFormat: 'QQ', chosen: true };
  localStorage.setItem('layby.preferences.ann', JSON.stringify(invalid));
  expect(datesOf('ann')).toBe(SHOP_DATES);
});
