import type { ProductInfo } from '../../../form/types';
import { formatMoney } from '../../../lib/format/money';
import type { Source } from './tracking';

export type Offer = NonNullable<ProductInfo['offers']>[number];

/** Checks whether a list of accepted names has the word, in upper or lower case. */
const hasName = (names: string[], word: string | null | undefined) =>
  word != null && names.some((name) => name.toLowerCase() === word.trim().toLowerCase());

/** Returns the extras that the visitor's campaign makes free. */
export function offersFor(info: ProductInfo, { source_tracking: from }: Source): Offer[] {
  return (info.offers ?? []).filter(
    (offer) =>
      hasName(offer.utm_campaign, from?.utm_campaign) &&
      hasName(offer.utm_medium, from?.utm_medium) &&
      hasName(offer.utm_source, from?.utm_source),
  );
}

/** Formats the price of a free extra at the renewal. */
export function renewalPriceText(offer: Offer, info: ProductInfo): string {
  return `${formatMoney(offer.price, info.currency, info.locale)} a year if you renew it`;
}

/** Formats an offer for the first page, as `src/api/website/landing_page/words.rs` does. */
export function offerText(offer: Offer, info: ProductInfo): string {
  return `${offer.label} ${offer.note.toLowerCase()}, ${renewalPriceText(offer, info)}`;
}
