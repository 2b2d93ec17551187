import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Call, refuse, type Server, sent } from '../../../api/testing';
import type { SerializedProduct } from '../../../api/types';
import { FIGURES } from '../../../testing/data';
import { EmptyCache, serve } from '../../../testing/server';
import { premiumOf } from './pricing';
import { usePrice, useProductPrice, useRecentChange, useSettledProduct } from './usePrice';

const product = (level: number | null): SerializedProduct | null =>
  level === null
    ? null
    : { product_identifier: 'breakdown', values: { cover_level: level }, multi: {} };

const PRICE = 'POST /api/v1/price';

const levelOf = ({ body }: Call<typeof PRICE>) => Number(body.product.values?.cover_level);

/** A level costs ten pounds times its number. */
const PRICING: Server = {
  [PRICE]: (call) => ({
    data: { figures: { ...FIGURES, amount_total: levelOf(call) * 10 } },
  }),
};

function renderPrice(first: number | null) {
  return renderHook(
    ({ level }: { level: number | null }) => {
      const now = product(level);
      return usePrice(now, useSettledProduct(now));
    },
    { initialProps: { level: first }, wrapper: EmptyCache },
  );
}

const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

describe('the price', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  test('is not asked before the cover is chosen', async () => {
    const calls = serve();
    const { result } = renderPrice(null);
    await wait(5000);
    expect(calls).toEqual([]);
    expect(result.current).toMatchObject({ figures: null, pending: false, error: null });
  });

  test('is asked one second after the last change, the old figure staying meanwhile', async () => {
    const calls = serve(PRICING);
    const { result, rerender } = renderPrice(1);
    await wait(300);
    expect(result.current.figures?.amount_total).toBe(10);

    rerender({ level: 2 });
    await wait(700);
    rerender({ level: 3 });
    await wait(900);
    expect(calls).toHaveLength(1);
    expect(result.current).toMatchObject({ pending: true, figures: { amount_total: 10 } });

    await wait(101);
    expect(sent(calls, PRICE).map(levelOf)).toEqual([1, 3]);
    expect(result.current).toMatchObject({ pending: true, figures: { amount_total: 10 } });
    await wait(250);
    expect(result.current).toMatchObject({ pending: false, figures: { amount_total: 30 } });
  });

  test('a figure that a choice card has shown stays just the same', async () => {
    serve(PRICING);
    const { result, rerender } = renderHook(
      ({ level }: { level: number | null }) => {
        useProductPrice(product(2));
        const now = product(level);
        return usePrice(now, useSettledProduct(now));
      },
      { initialProps: { level: null as number | null }, wrapper: EmptyCache },
    );
    await wait(300);
    rerender({ level: 2 });
    expect(result.current).toMatchObject({ pending: false, figures: { amount_total: 20 } });

    await wait(400);
    rerender({ level: 3 });
    await wait(900);
    expect(result.current).toMatchObject({ pending: true, figures: { amount_total: 20 } });
    await wait(101);
    await wait(250);
    expect(result.current).toMatchObject({ pending: false, figures: { amount_total: 30 } });
  });

  test('a failure clears it, says so, and can be tried again', async () => {
    let isBroken = false;
    const calls = serve({ [PRICE]: () => (isBroken ? refuse(500, 'No') : undefined) });
    const { result, rerender } = renderPrice(1);
    await wait(300);
    expect(result.current.figures?.amount_total).toBe(48.16);
    isBroken = true;
    rerender({ level: 2 });
    await wait(1001);
    await wait(300);
    expect(result.current.figures).toBeNull();
    expect(result.current.error?.status).toBe(500);

    isBroken = false;
    act(() => result.current.retry());
    await wait(300);
    expect(calls).toHaveLength(3);
    expect(result.current.error).toBeNull();
    expect(result.current.figures?.amount_total).toBe(48.16);
  });

  test('is asked for again when the server says how long to wait, without an error meanwhile', async () => {
    let busy = 2;
    const calls = serve({
      [PRICE]: () => {
        busy -= 1;
        return busy >= 0 ? refuse(429, 'Too many attempts.', { retryAfter: 2 }) : undefined;
      },
    });
    const { result } = renderPrice(1);
    for (let second = 0; second < 4; second += 1) {
      await wait(1000);
      expect(result.current).toMatchObject({ figures: null, pending: true, error: null });
    }
    await wait(1500);
    expect(calls).toHaveLength(3);
    expect(result.current).toMatchObject({ pending: false, error: null });
    expect(result.current.figures?.amount_total).toBe(48.16);
  });

  test('is given up when the server goes on saying to wait', async () => {
    const calls = serve({ [PRICE]: () => refuse(429, 'Too many attempts.', { retryAfter: 1 }) });
    const { result } = renderPrice(1);
    await wait(10_000);
    expect(calls).toHaveLength(6);
    expect(result.current.error?.status).toBe(429);
  });

  test('is the whole amount, and its lines end with the additional charges', () => {
    const line = { code: 'vehicles', label: 'Your vehicles', amount: 40 };
    const charge = { code: 'post', label: 'Posting', amount: 1.99 };
    const figures = {
      ...FIGURES,
      amount_taxed: 40,
      amount_total: 41.99,
      lines: [line],
      additional_charges: [charge],
    };
    expect(premiumOf(figures)).toMatchObject({ amount: 41.99, lines: [line, charge] });
  });

  test('shows by how much it changed, for a moment', async () => {
    const { result, rerender } = renderHook(({ amount }) => useRecentChange(amount), {
      initialProps: { amount: null as number | null },
    });
    rerender({ amount: 40 });
    expect(result.current).toBeNull();
    rerender({ amount: 52.4 });
    expect(result.current).toBe(12.4);
    await wait(4001);
    expect(result.current).toBeNull();
  });
});
