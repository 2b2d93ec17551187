import type { MoneyFormat } from './preferences';

const NO_AMOUNT = '--.--';

/** How a product writes its money. */
export interface CurrencyFormat {
  currency: string;
  locale: string;
  /** Thousands and decimals, such as `0,0.00`. */
  format: string;
}

/** The shop's own, in the account and wherever no product is at hand. */
export const SHOP_CURRENCY: CurrencyFormat = {
  currency: 'GBP',
  locale: 'en-GB',
  format: '0,0.00',
};

const formats = new Map<string, Intl.NumberFormat>();

function format(currency: string, locale: string): Intl.NumberFormat {
  const key = `${locale}|${currency}`;
  let found = formats.get(key);
  if (!found) {
    found = new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
    });
    formats.set(key, found);
  }
  return found;
}

/** "£1,234.50": two decimals always, as the format 0,0.00 says; a minus as wide as a figure. */
export function formatMoney(amount: number, currency = 'GBP', locale = 'en-GB'): string {
  return format(currency, locale).format(amount).replace('-', '−');
}

/** As `formatMoney`, with "--.--" where there is no amount to show. */
export function formatPremium(
  amount: number | null | undefined,
  currency = 'GBP',
  locale = 'en-GB',
): string {
  if (amount) return formatMoney(amount, currency, locale);
  return `${signOf(currency, locale)}${NO_AMOUNT}`;
}

function signOf(currency: string, locale: string): string {
  const parts = format(currency, locale).formatToParts(0);
  return parts.find((part) => part.type === 'currency')?.value ?? '';
}

/** An amount as its reader likes money written; "--.--" where there is none. */
export function formatAmount(
  amount: number | null | undefined,
  currency: string,
  wish: MoneyFormat,
): string {
  if (!amount) return NO_AMOUNT;
  const decimals = wish.format.split('.')[1]?.length ?? 0;
  const figure = amount.toLocaleString(wish.locale, {
    useGrouping: wish.format.includes(','),
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  const sign = currency === wish.currency ? wish.display : signOf(currency, wish.locale);
  return wish.prefix ? `${sign}${figure}` : `${figure} ${sign}`;
}
