import { act, render, renderHook, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { refuse, sent } from '../../../api/testing';
import type { SerializedProduct } from '../../../api/types';
import { evaluate } from '../../../form/conditions/visibility';
import { FIGURES } from '../../../testing/data';
import { COMPLETE, FORM, PRODUCT } from '../../../testing/products/product';
import { EmptyCache, serve } from '../../../testing/server';
import { ExtraPrice, OptionPrice } from './OptionPrice';
import { premiumOf, pricesFor } from './pricing';
import { useOptionExtra } from './useOptionExtra';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

const figures = (amount: number) => ({ ...FIGURES, amount_total: amount });

/**
 * Shows the price of key cover. Without key cover, a level costs ten pounds times its number. Key
 * cover adds a tenth.
 */
function extra(level: number, amount: number, pending: boolean) {
  const product: SerializedProduct = {
    product_identifier: 'breakdown',
    values: { cover_level: level, key_cover: true },
    multi: {},
  };
  return (
    <EmptyCache>
      <ExtraPrice
        product={product}
        chosen={false}
        current={premiumOf(figures(amount))}
        pending={pending}
      />
    </EmptyCache>
  );
}

test('an extra is compared with the price of the same answers, and stays as it was until then', async () => {
  serve({
    'POST /api/v1/price': ({ body }) => {
      const amount = Number(body.product.values?.cover_level) * 11;
      return { data: { figures: figures(amount) } };
    },
  });
  const { rerender } = render(extra(2, 20, false));
  await wait(300);
  expect(screen.getByText('Adds £2.00 per year')).toBeTruthy();

  // The customer chooses another level. The price of the level is read before the price with key
  // cover.
  rerender(extra(4, 20, true));
  expect(screen.getByText('Adds £2.00 per year')).toBeTruthy();
  await wait(500);
  rerender(extra(4, 40, false));
  expect(screen.getByText('Adds £2.00 per year')).toBeTruthy();
  await wait(501);
  expect(screen.getByText('Adds £2.00 per year')).toBeTruthy();
  await wait(300);
  expect(screen.getByText('Adds £4.00 per year')).toBeTruthy();

  // Now the price with key cover is read first.
  rerender(extra(6, 40, true));
  await wait(1001);
  await wait(300);
  expect(screen.getByText('Adds £4.00 per year')).toBeTruthy();
  rerender(extra(6, 60, false));
  expect(screen.getByText('Adds £6.00 per year')).toBeTruthy();
});

/** Shows the price of each level. The level `chosen` is chosen. */
function cards(levels: number[], chosen: number) {
  return (
    <EmptyCache>
      {levels.map((level) => (
        <OptionPrice
          key={level}
          product={{ product_identifier: 'breakdown', values: { cover_level: level }, multi: {} }}
          chosen={level === chosen}
          hideDifference
          current={null}
          pending={false}
        />
      ))}
    </EmptyCache>
  );
}

const BATCH = 'POST /api/v1/prices';
const SINGLE = 'POST /api/v1/price';

const levelsOf = (calls: Parameters<typeof sent>[0]) =>
  sent(calls, BATCH).map(({ body }) =>
    body.requests.map(({ product }) => product.values?.cover_level),
  );

test('the prices of all choices are one call, and that of the present choice stays its own', async () => {
  const calls = serve({
    [SINGLE]: ({ body }) => {
      const level = Number(body.product.values?.cover_level);
      if (level === 5) return refuse(422, 'No', { errors: { cover_level: ['Not sold'] } });
      return { data: { figures: figures(level * 10) } };
    },
  });
  render(cards([1, 2, 3, 4, 5], 3));
  await wait(400);
  expect(levelsOf(calls)).toEqual([[1, 2, 4, 5]]);
  expect(sent(calls, SINGLE).map(({ body }) => body.product.values?.cover_level)).toEqual([3]);
  for (const amount of ['£10.00', '£20.00', '£30.00', '£40.00']) {
    expect(screen.getByText(amount)).toBeTruthy();
  }
  expect(screen.queryByText('£50.00')).toBeNull();
});

test('more choices than one call takes are asked for in two, and a full server is asked again', async () => {
  let busy = true;
  const calls = serve({
    [BATCH]: () => {
      const answer = busy ? refuse(429, 'Too many attempts.', { retryAfter: 1 }) : undefined;
      busy = false;
      return answer;
    },
  });
  const levels = Array.from({ length: 18 }, (_, index) => index + 1);
  render(cards(levels, 0));
  await wait(400);
  expect(levelsOf(calls).map((each) => each.length)).toEqual([16, 2]);
  await wait(1200);
  expect(levelsOf(calls).map((each) => each.length)).toEqual([16, 2, 16]);
  expect(screen.getAllByText('£48.16')).toHaveLength(18);
});

test('a page that is left asks for no price of a choice any more', async () => {
  const calls = serve({
    [BATCH]: () => refuse(429, 'Too many attempts.', { retryAfter: 1 }),
  });
  const firstRender = render(cards([1, 2], 0));
  firstRender.unmount();
  await wait(1000);
  expect(calls).toEqual([]);
  const secondRender = render(cards([3, 4], 0));
  await wait(400);
  secondRender.unmount();
  await wait(5000);
  expect(levelsOf(calls)).toEqual([[3, 4]]);
});

test('prices say what they assume, until that is answered', () => {
  const priceLines = (vehicles: Record<string, string>[], cover_type = 2) => {
    const answers = { values: { cover_type }, multi: { vehicles } };
    return pricesFor(FORM, evaluate(FORM, answers));
  };
  const text = 'Prices are for one new car, until you tell us about yours.';
  expect(priceLines([{}])).toBe(text);
  expect(priceLines([{ vehicle_registration: 'AB12 CDE' }])).toBe(text);
  expect(priceLines([{ vehicle_registration_date: '01.03.2015' }])).toBeNull();
  expect(priceLines([{}, {}])).toBeNull();
  expect(priceLines([], 1)).toBeNull();
  expect(pricesFor(FORM, evaluate(FORM, COMPLETE))).toBeNull();
  expect(pricesFor(FORM, evaluate(FORM, { values: {}, multi: {} }))).toBeNull();
});

test('an extra that the campaign makes free says so on its tile, with its price at the renewal', () => {
  const offer = {
    code: 'key_cover',
    label: 'Key cover',
    note: 'Free with the offer that brought you here',
    price: 36,
    utm_campaign: ['fkc'],
    utm_medium: ['affiliate'],
    utm_source: ['bnp'],
  };
  const info = { ...PRODUCT.info, offers: [offer] };
  const source_tracking = { utm_campaign: 'fkc', utm_medium: 'affiliate', utm_source: 'bnp' };
  const answers = { ...COMPLETE, lookups: {} };
  const api = { answers, state: evaluate(FORM, COMPLETE) } as Parameters<typeof useOptionExtra>[2];
  const price = { premium: premiumOf(figures(20)), pending: false };
  const { result } = renderHook(() => useOptionExtra(FORM, info, api, price, { source_tracking }));
  const field = FORM.datasets
    .flatMap((dataset) => dataset.fields)
    .find(({ name }) => name === 'key_cover');
  if (!field) throw new Error('the product has no key cover');
  render(<p>{result.current(field, { value: 'true', label: '', text: '' })}</p>);
  expect(
    screen.getByText('Free with the offer that brought you here. £36.00 a year if you renew it'),
  ).toBeTruthy();
});
