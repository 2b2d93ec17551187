import { createContext, useContext } from 'react';
import { type CurrencyFormat, formatMoney, SHOP_CURRENCY } from '../../lib/format/money';

const CurrencyContext = createContext<CurrencyFormat>(SHOP_CURRENCY);

/** Components inside this provider write money in its product's format. */
export const CurrencyProvider = CurrencyContext.Provider;

export function useCurrency(): CurrencyFormat {
  return useContext(CurrencyContext);
}

/** Writes an amount in the product's format; `currency` replaces the product's currency. */
export function useMoney(): (amount: number, currency?: string) => string {
  const own = useCurrency();
  return (amount, currency = own.currency) => formatMoney(amount, currency, own.locale, own.format);
}
