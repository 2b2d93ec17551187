import type { MoneyFormat } from '../storage/preferences';

const NO_AMOUNT = '--.--';

/** A product's money format. */
export interface CurrencyFormat {
  currency: string;
  locale: string;
  /** Thousands and decimals, such as `0,0.00`. */
  format: string;
}

/** The shop's own format, for the account and pages without a product. */
export const SHOP_CURRENCY: CurrencyFormat = {
  currency: 'GBP',
  locale: 'en-GB',
  format: '0,0.00',
};

const formats = new Map<string, Intl.NumberFormat>();

function formatter(currency: string, locale: string, format: string): Intl.NumberFormat {
  const key = `${locale}|${currency}|${format}`;
  let cachedFormat = formats.get(key);
  if (!cachedFormat) {
    cachedFormat = new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
      useGrouping: format.includes(','),
      // Pence are left out only if they are zero, so that the shown price is the charged price.
      trailingZeroDisplay: format.includes('.') ? 'auto' : 'stripIfInteger',
    });
    formats.set(key, cachedFormat);
  }
  return cachedFormat;
}

/**
 * Checks whether an amount is in pounds for a British reader, as on most pages. Amounts in whole
 * pence and in the shop's format are then written without `Intl`. The first use of `Intl` takes
 * about 0.1 seconds on a phone.
 */
function isShopCurrency(currency: string, locale: string): boolean {
  return currency === SHOP_CURRENCY.currency && locale === SHOP_CURRENCY.locale;
}

/** `Intl` formats amounts of this size and larger ones. */
const VAST = 1e15;

const isWholePence = (amount: number) => Math.round(amount * 100) / 100 === amount;

function inPounds(amount: number): string {
  const sign = amount < 0 || Object.is(amount, -0) ? '−' : '';
  const figure = Math.abs(amount).toFixed(2);
  return `${sign}£${figure.replace(/\B(?=(\d{3})+\.)/g, ',')}`;
}

/**
 * Formats an amount as "£1,234.50" for the format 0,0.00. Negative amounts have the minus sign
 * U+2212, not a hyphen.
 */
export function formatMoney(
  amount: number,
  currency = SHOP_CURRENCY.currency,
  locale = SHOP_CURRENCY.locale,
  format = SHOP_CURRENCY.format,
): string {
  const isShopFormat = isShopCurrency(currency, locale) && format === SHOP_CURRENCY.format;
  if (isShopFormat && Math.abs(amount) < VAST && isWholePence(amount)) return inPounds(amount);
  return formatter(currency, locale, format).format(amount).replace('-', '−');
}

/**
 * Formats an amount as `formatMoney` does. Returns the currency sign and "--.--" for a missing
 * amount and for zero.
 */
export function formatPremium(
  amount: number | null | undefined,
  currency = 'GBP',
  locale = 'en-GB',
): string {
  if (amount) return formatMoney(amount, currency, locale);
  return `${signOf(currency, locale)}${NO_AMOUNT}`;
}

function signOf(currency: string, locale: string): string {
  if (isShopCurrency(currency, locale)) return '£';
  const parts = formatter(currency, locale, SHOP_CURRENCY.format).formatToParts(0);
  return parts.find((part) => part.type === 'currency')?.value ?? '';
}

/**
 * Formats an amount in the person's money format. Returns "--.--" for a missing amount and for
 * zero.
 */
export function formatAmount(
  amount: number | null | undefined,
  currency: string,
  preference: MoneyFormat,
): string {
  if (!amount) return NO_AMOUNT;
  const decimals = preference.format.split('.')[1]?.length ?? 0;
  const figure = amount.toLocaleString(preference.locale, {
    useGrouping: preference.format.includes(','),
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  const sign =
    currency === preference.currency ? preference.display : signOf(currency, preference.locale);
  return preference.prefix ? `${sign}${figure}` : `${figure} ${sign}`;
}
