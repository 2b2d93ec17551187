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

/** "£1,234.50": two decimals always, as the format 0,0.00 says. */
export function formatMoney(amount: number, currency = 'GBP', locale = 'en-GB'): string {
  return format(currency, locale).format(amount);
}

/** As `formatMoney`, with "--.--" where there is no amount to show. */
export function formatPremium(
  amount: number | null | undefined,
  currency = 'GBP',
  locale = 'en-GB',
): string {
  if (amount) return formatMoney(amount, currency, locale);
  const sign = format(currency, locale)
    .formatToParts(0)
    .find((part) => part.type === 'currency');
  return `${sign?.value ?? ''}--.--`;
}
