import { createContext, useContext } from 'react';
import { type CurrencyFormat, formatMoney, SHOP_CURRENCY } from '../../lib/money';

const CurrencyContext = createContext<CurrencyFormat>(SHOP_CURRENCY);

/** Whatever stands inside writes its money as this product does. */
export const CurrencyProvider = CurrencyContext.Provider;

export function useCurrency(): CurrencyFormat {
  return useContext(CurrencyContext);
}

/** Writes an amount as the product does; the figure may bring its own currency. */
export function useMoney(): (amount: number, currency?: string) => string {
  const own = useCurrency();
  return (amount, currency = own.currency) => formatMoney(amount, currency, own.locale, own.format);
}
