import type { StoredCard } from '../../api/policies/plans';
import { formatMonth, parseIsoDate } from '../../lib/dates/dates';

/** The names of the card brands that gateways report in small letters or as a code. */
const BRANDS: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  mc: 'Mastercard',
  maestro: 'Maestro',
  amex: 'American Express',
};

function brandName(brand: string | null): string {
  const name = brand?.toLowerCase() ?? '';
  return (Object.hasOwn(BRANDS, name) && BRANDS[name]) || 'Card';
}

/**
 * Returns a card's brand and last digits, such as "Visa ending 4242". Returns "Stored card" for a
 * card whose digits the server does not show.
 */
export function cardName({ brand, last_four: digits }: StoredCard): string {
  return digits ? `${brandName(brand)} ending ${digits}` : 'Stored card';
}

/** Returns the last month in which a card is valid, such as "December 2034". */
export function cardExpiry({ expiry }: StoredCard): string | null {
  const month = parseIsoDate(expiry && `${expiry}-01`);
  return month && formatMonth(month);
}

/** Returns the stored card with this id, if there is one. */
export function cardWithId(
  cards: StoredCard[] | undefined,
  id: string | null,
): StoredCard | undefined {
  return cards?.find((card) => card.id === id);
}
