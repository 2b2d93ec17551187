import { mutate } from 'swr';
import { bootstrapPrices } from '../../../api/session/bootstrap';
import type { Product } from '../../../api/types';
import type { Answers } from '../../../form/types';
import { readSource, sourceIsOfAddress } from '../start/tracking';
import { keyOf } from './priceCalls';
import { pricedProduct } from './usePremium';

/**
 * Seeds the cache with the prices that the server embedded in the page. These prices are for the
 * initial answers and for the campaign in the address. Does nothing if the visitor has another
 * campaign.
 */
export function seedPriceCache({ form, info }: Product, initialAnswers: Answers): void {
  const prices = bootstrapPrices(info.product_identifier);
  if (!prices || !sourceIsOfAddress()) return;
  for (const { value, figures } of prices.choices) {
    const values = { ...initialAnswers.values, ...prices.assumed, [prices.field]: value };
    const priced = pricedProduct(form, info, { ...initialAnswers, values });
    const key = keyOf(priced, readSource());
    if (key) void mutate(key, figures, { revalidate: false });
  }
}
