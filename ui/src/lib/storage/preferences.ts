import { type DateStyle, isDateFormat, SHOP_DATES } from '../dates/dateStyle';
import { readStored, writeStored } from './storage';

export interface MoneyFormat {
  /** Whether the currency sign stands before the figure. */
  prefix: boolean;
  currency: string;
  /** The sign for `currency`. */
  display: string;
  locale: string;
  /** Thousands and decimals, such as `0,0.00`. */
  format: string;
}

export interface Preferences {
  dateFormat: string;
  datePickerFormat: string;
  money: MoneyFormat;
  /**
   * Whether the person has chosen a date format. Until then the shop's format is used, whatever the
   * stored default is.
   */
  chosen?: true;
}

export const DEFAULT_PREFERENCES: Preferences = {
  dateFormat: 'MM/dd/yyyy',
  datePickerFormat: 'dd MMM y',
  money: { prefix: true, currency: 'GBP', display: '£', locale: 'en-GB', format: '0,0.00' },
};

const PREFIX = 'layby.preferences.';
const key = (user: string) => `${PREFIX}${user}`;

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '';

const isCurrency = (value: unknown) => typeof value === 'string' && /^[A-Z]{3}$/.test(value);

const isFormat = (value: unknown) => typeof value === 'string' && /^0(,0)?(\.0{1,4})?$/.test(value);

function isLocale(value: unknown): boolean {
  try {
    return isText(value) && Intl.NumberFormat.supportedLocalesOf(value).length > 0;
  } catch {
    return false;
  }
}

const DATES: Record<string, (value: unknown) => boolean> = {
  dateFormat: isText,
  datePickerFormat: isText,
};

const MONEY: Record<keyof MoneyFormat, (value: unknown) => boolean> = {
  prefix: (value) => typeof value === 'boolean',
  currency: isCurrency,
  display: isText,
  locale: isLocale,
  format: isFormat,
};

/** Returns the valid stored preferences, and the defaults for the rest. */
function sound<T extends object>(
  stored: unknown,
  defaults: T,
  checks: Record<string, (value: unknown) => boolean>,
): T {
  const values = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<
    string,
    unknown
  >;
  const valid = Object.entries(checks).flatMap(([name, check]) =>
    Object.hasOwn(values, name) && check(values[name]) ? [[name, values[name]]] : [],
  );
  return { ...defaults, ...Object.fromEntries(valid) };
}

/** Returns the date and money format of this person, or the defaults if nobody is logged in. */
export function preferencesOf(user: string | null | undefined): Preferences {
  const stored = user ? readStored<Record<string, unknown>>(key(user)) : null;
  return {
    ...sound(stored, DEFAULT_PREFERENCES, DATES),
    money: sound(stored?.money, DEFAULT_PREFERENCES.money, MONEY),
    ...(stored?.chosen === true && { chosen: true }),
  };
}

/**
 * Returns the person's date format. Returns the shop's if the person has chosen none, or if the
 * stored format is invalid.
 */
export function datesOf(user: string | null | undefined): DateStyle {
  const { chosen, dateFormat, money } = preferencesOf(user);
  return chosen && isDateFormat(dateFormat)
    ? { format: dateFormat, locale: money.locale }
    : SHOP_DATES;
}

/** Stores the person's choice. Returns false if the browser refuses. */
export function chooseDates(user: string, { format, locale }: DateStyle): boolean {
  const current = preferencesOf(user);
  const money = { ...current.money, locale };
  return writeStored(key(user), { ...current, dateFormat: format, money, chosen: true });
}

/** Checks whether a storage key holds the person's formats. */
export function isPreferencesOf(user: string | null | undefined, name: string | null): boolean {
  return Boolean(user) && name === key(String(user));
}

/** Stores the preferences when a person first logs in here, or when the stored ones are invalid. */
export function storePreferences(user: string | null | undefined): void {
  if (!user) return;
  const preferences = preferencesOf(user);
  const stored = readStored<unknown>(key(user));
  if (JSON.stringify(stored) !== JSON.stringify(preferences)) writeStored(key(user), preferences);
}
