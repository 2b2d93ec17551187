import { cache } from 'swr/_internal';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bootstrapPrices, seedCache } from './bootstrap';

const PRICES = { product: 'lamps', field: 'level', assumed: {}, choices: [] };

function embedData(text: string) {
  document.body.innerHTML = `<script type="application/json" id="beginning">${text}</script>`;
}

beforeEach(() => window.history.replaceState(null, '', '/cover/lamps'));

afterEach(() => {
  document.body.innerHTML = '';
  seedCache();
});

test('an answer that came with the page is there before it is asked for', () => {
  embedData(JSON.stringify({ answers: { '/api/came': { brand: 'Hardshoulder' } } }));
  seedCache();
  expect(cache.get('/api/came')?.data).toEqual({ brand: 'Hardshoulder' });
});

test('prices are for the product and the address that they came with', () => {
  embedData(JSON.stringify({ prices: PRICES }));
  seedCache();
  expect(bootstrapPrices('lamps')).toMatchObject(PRICES);
  expect(bootstrapPrices('bicycle')).toBeNull();
  window.history.replaceState(null, '', '/cover/lamps/bright');
  expect(bootstrapPrices('lamps')).toBeNull();
});

test('a page that came with nothing, or with half of it, asks for all', () => {
  for (const text of ['', '{"answers":{"/api/half":']) {
    embedData(text);
    seedCache();
    expect(cache.get('/api/half')).toBeUndefined();
    expect(bootstrapPrices('lamps')).toBeNull();
  }
});
