import { cache, serialize } from 'swr/_internal';
import { beforeEach, expect, test } from 'vitest';
import { seedCache } from '../../../api/session/bootstrap';
import { initialAnswers } from '../../../form/answers/answers';
import { FIGURES } from '../../../testing/data';
import { PRODUCT } from '../../../testing/products/product';
import { keyOf } from './priceCalls';
import { seedPriceCache } from './seedPriceCache';
import { pricedProduct } from './usePremium';

const INITIAL = initialAnswers(PRODUCT.form);
const ASSUMED = { cover_type: 2 };

const priceOf = (level: number, campaign?: string) => {
  const values = { ...INITIAL.values, ...ASSUMED, cover_level: level };
  const product = pricedProduct(PRODUCT.form, PRODUCT.info, { ...INITIAL, values });
  const source = campaign ? { source_tracking: { utm_campaign: campaign } } : {};
  const [key] = serialize(keyOf(product, source));
  return cache.get(key)?.data;
};

function openPage(address: string) {
  window.history.replaceState(null, '', address);
  const choices = [3, 4].map((level) => ({
    value: level,
    figures: { ...FIGURES, amount_total: level * 10 },
  }));
  const prices = { product: 'breakdown', field: 'cover_level', assumed: ASSUMED, choices };
  document.body.innerHTML = `<script type="application/json" id="beginning">${JSON.stringify({ prices })}</script>`;
  seedCache();
}

beforeEach(() => {
  for (const key of [...cache.keys()]) cache.delete(key);
  sessionStorage.clear();
});

test('prices that came with the page are known for the answers that a quote begins with', () => {
  openPage('/breakdown');
  seedPriceCache(PRODUCT, INITIAL);
  expect(priceOf(3)).toMatchObject({ amount_total: 30 });
  expect(priceOf(4)).toMatchObject({ amount_total: 40 });
  expect(priceOf(5)).toBeUndefined();
});

test('they are for the campaign of the address', () => {
  openPage('/breakdown?utm_campaign=fkc');
  seedPriceCache(PRODUCT, INITIAL);
  expect(priceOf(3, 'fkc')).toMatchObject({ amount_total: 30 });
  expect(priceOf(3)).toBeUndefined();
});

test('a tab that remembers a campaign asks for its own prices', () => {
  openPage('/breakdown?utm_campaign=fkc');
  seedPriceCache(PRODUCT, INITIAL);
  for (const key of [...cache.keys()]) cache.delete(key);
  openPage('/breakdown');
  seedPriceCache(PRODUCT, INITIAL);
  expect(priceOf(3)).toBeUndefined();
  expect(priceOf(3, 'fkc')).toBeUndefined();
});
