import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SerializedProduct } from '../../api/types';
import { evaluate } from '../../form/visibility';
import { FIGURES } from '../../testing/data';
import { COMPLETE, FORM } from '../../testing/products/product';
import { Fresh, serve } from '../../testing/server';
import { ExtraPrice } from './OptionPrice';
import { premiumOf, pricesFor } from './pricing';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

const figures = (amount: number) => ({ ...FIGURES, amount_total: amount });

/** The price of a level is ten pounds times its number; key cover adds a tenth. */
function extra(level: number, paid: number, pending: boolean) {
  const product: SerializedProduct = {
    product_identifier: 'breakdown',
    values: { cover_level: level, key_cover: true },
    multi: {},
  };
  return (
    <Fresh>
      <ExtraPrice
        product={product}
        chosen={false}
        current={premiumOf(figures(paid))}
        pending={pending}
      />
    </Fresh>
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

  // Another level is chosen: its own price is read first, then that of the extra.
  rerender(extra(4, 20, true));
  expect(screen.getByText('Adds £2.00 per year')).toBeTruthy();
  await wait(500);
  rerender(extra(4, 40, false));
  expect(screen.getByText('Adds £2.00 per year')).toBeTruthy();
  await wait(501);
  expect(screen.getByText('Adds £2.00 per year')).toBeTruthy();
  await wait(300);
  expect(screen.getByText('Adds £4.00 per year')).toBeTruthy();

  // The other order: the price of the extra is read first.
  rerender(extra(6, 40, true));
  await wait(1001);
  await wait(300);
  expect(screen.getByText('Adds £4.00 per year')).toBeTruthy();
  rerender(extra(6, 60, false));
  expect(screen.getByText('Adds £6.00 per year')).toBeTruthy();
});

test('prices say what they assume, until that is answered', () => {
  const said = (vehicles: Record<string, string>[], cover_type = 2) => {
    const answers = { values: { cover_type }, multi: { vehicles } };
    return pricesFor(FORM, evaluate(FORM, answers));
  };
  const text = 'Prices are for one new car, until you tell us about yours.';
  expect(said([{}])).toBe(text);
  expect(said([{ vehicle_registration: 'AB12 CDE' }])).toBe(text);
  expect(said([{ vehicle_registration_date: '01.03.2015' }])).toBeNull();
  expect(said([{}, {}])).toBeNull();
  expect(said([], 1)).toBeNull();
  expect(pricesFor(FORM, evaluate(FORM, COMPLETE))).toBeNull();
  expect(pricesFor(FORM, evaluate(FORM, { values: {}, multi: {} }))).toBeNull();
});
