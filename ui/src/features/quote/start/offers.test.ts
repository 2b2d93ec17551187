import { expect, test } from 'vitest';
import { PRODUCT } from '../../../testing/products/product';
import { offersFor, offerText } from './offers';

const OFFER = {
  code: 'key_cover',
  label: 'Key cover',
  note: 'Free with the offer that brought you here',
  price: 36,
  utm_campaign: ['fkc'],
  utm_medium: ['affiliate'],
  utm_source: ['source1', 'bnp'],
};
const info = { ...PRODUCT.info, offers: [OFFER] };
const from = (utm_source: string, utm_medium = 'affiliate') => ({
  source_tracking: { utm_campaign: 'FKC', utm_medium, utm_source },
});

test('an offer is for the visitors of its campaign, and says what it costs at the renewal', () => {
  expect(offersFor(info, from('Source1'))).toEqual([OFFER]);
  expect(offersFor(info, from('BNP '))).toEqual([OFFER]);
  expect(offersFor(info, from('source11'))).toEqual([]);
  expect(offersFor(info, from('bnp', 'email'))).toEqual([]);
  expect(offersFor(info, {})).toEqual([]);
  expect(offersFor({ ...PRODUCT.info, offers: [] }, from('bnp'))).toEqual([]);
  expect(offerText(OFFER, info)).toBe(
    'Key cover free with the offer that brought you here, £36.00 a year if you renew it',
  );
});
