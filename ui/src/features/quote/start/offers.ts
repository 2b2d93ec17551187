import type { ProductInfo } from '../../../form/types';
import { formatMoney } from '../../../lib/format/money';
import type { Source } from './tracking';

export type Offer = NonNullable<ProductInfo['offers']>[number];

const PARAMETERS = ['utm_campaign', 'utm_medium', 'utm_source'] as const;

/** Returns the extras that the visitor's campaign makes free. Upper and lower case do not matter. */
export function offersFor(info: ProductInfo, { source_tracking: from }: Source): Offer[] {
  const isFor = (offer: Offer) =>
    PARAMETERS.every((key) => {
      const word = from?.[key]?.trim().toLowerCase();
      return offer[key].some((name) => name.toLowerCase() === word);
    });
  return (info.offers ?? []).filter(isFor);
}

/** Formats the price of a free extra at the renewal. */
export function renewalPriceText(offer: Offer, info: ProductInfo): string {
  return `${formatMoney(offer.price, info.currency, info.locale)} a year if you renew it`;
}

/** Formats an offer for the first page, as `src/api/website/landing_page/words.rs` does. */
export function offerText(offer: Offer, info: ProductInfo): string {
  return `${offer.label} ${offer.note.toLowerCase()}, ${renewalPriceText(offer, info)}`;
}
