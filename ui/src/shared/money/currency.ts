import { createContext, useContext } from 'react';
import { type CurrencyFormat, formatMoney, SHOP_CURRENCY } from '../../lib/format/money';

const CurrencyContext = createContext<CurrencyFormat>(SHOP_CURRENCY);

/** Sets a product's money format for `useCurrency` and `useMoney`. */
export const CurrencyProvider = CurrencyContext.Provider;

export function useCurrency(): CurrencyFormat {
  return useContext(CurrencyContext);
}

/**
 * Returns a function that writes an amount in the product's money format. Its argument `currency`
 * replaces the product's currency.
 */
export function useMoney(): (amount: number, currency?: string) => string {
  const own = useCurrency();
  return (amount, currency = own.currency) => formatMoney(amount, currency, own.locale, own.format);
}
