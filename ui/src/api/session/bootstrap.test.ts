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

test('an embedded response is cached before any request', () => {
  embedData(JSON.stringify({ answers: { '/api/came': { brand: 'Hardshoulder' } } }));
  seedCache();
  expect(cache.get('/api/came')?.data).toEqual({ brand: 'Hardshoulder' });
});

test('embedded prices are for their product and address', () => {
  embedData(JSON.stringify({ prices: PRICES }));
  seedCache();
  expect(bootstrapPrices('lamps')).toMatchObject(PRICES);
  expect(bootstrapPrices('bicycle')).toBeNull();
  window.history.replaceState(null, '', '/cover/lamps/bright');
  expect(bootstrapPrices('lamps')).toBeNull();
});

test('a page without valid embedded data requests everything', () => {
  for (const text of ['', '{"answers":{"/api/half":']) {
    embedData(text);
    seedCache();
    expect(cache.get('/api/half')).toBeUndefined();
    expect(bootstrapPrices('lamps')).toBeNull();
  }
});
