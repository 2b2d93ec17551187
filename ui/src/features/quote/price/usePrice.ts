import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import useSWR, { unstable_serialize, useSWRConfig } from 'swr';
import { ApiError } from '../../../api/client';
import type { PriceFigures, SerializedProduct } from '../../../api/types';
import type { Source } from '../start/tracking';
import { fetchPrice, keyOf } from './priceCalls';

/** The pause after the last change before the price is read again, in milliseconds. */
export const PRICE_DEBOUNCE_MS = 1000;
const CHANGE_SHOWN_MS = 4000;

export const PRICE_OPTIONS = {
  revalidateOnFocus: false,
  revalidateOnReconnect: false,
  revalidateIfStale: false,
  shouldRetryOnError: false,
} as const;

/**
 * Reads the price of one set of answers. SWR caches the price, so answers with a cached price are
 * not sent again.
 */
export function useProductPrice(
  product: SerializedProduct | null,
  source?: Source,
  fetcher = fetchPrice,
) {
  return useSWR(keyOf(product, source), fetcher, { ...PRICE_OPTIONS, keepPreviousData: true });
}

/**
 * Returns new answers after a second without changes, and the earlier answers until then. Returns
 * the answers of the first render immediately.
 */
export function useSettledProduct(product: SerializedProduct | null): SerializedProduct | null {
  const text = product ? JSON.stringify(product) : null;
  const [settled] = useDebouncedValue(text, PRICE_DEBOUNCE_MS);
  return settled ? (JSON.parse(settled) as SerializedProduct) : null;
}

export function isSettled(now: SerializedProduct | null, settled: SerializedProduct | null) {
  return JSON.stringify(now) === JSON.stringify(settled);
}

export interface PriceState {
  figures: PriceFigures | null;
  /** Whether a new price is being read, or the pause before the read is running. */
  pending: boolean;
  error: ApiError | null;
  retry: () => void;
}

/**
 * Reads the price of the present answers. The old price stays until the new price is read. A
 * failure clears the old price.
 */
export function usePrice(
  now: SerializedProduct | null,
  settled: SerializedProduct | null,
  source?: Source,
): PriceState {
  const request = now ? settled : null;
  // A price that a choice card has already read is shown without the pause.
  const { cache } = useSWRConfig();
  const cached = cache.get(unstable_serialize(keyOf(now, source)))?.data as
    | PriceFigures
    | undefined;
  const { data, error, isValidating, mutate } = useProductPrice(request, source);
  const isPending = now !== null && !isSettled(now, settled);
  // Stores the last shown price, because it may come from a choice card's call.
  const [last, setLast] = useState<PriceFigures | null>(null);
  const figures = now && !error ? (cached ?? last ?? data ?? null) : null;
  if (figures !== last) setLast(figures);
  return {
    figures,
    pending: now !== null && !cached && (isPending || isValidating),
    error: now && !isValidating ? asApiError(error) : null,
    retry: () => void mutate(),
  };
}

function asApiError(error: unknown): ApiError | null {
  if (!error) return null;
  return error instanceof ApiError ? error : new ApiError(0, 'We could not work out your price.');
}

/**
 * Returns the difference to the previous price for `CHANGE_SHOWN_MS` after a change. Returns null
 * at any other time.
 */
export function useRecentChange(amount: number | null): number | null {
  const last = useRef(amount);
  const [change, setChange] = useState<number | null>(null);
  useEffect(() => {
    const before = last.current;
    last.current = amount;
    if (amount === null || before === null || before === amount) {
      if (amount === null) setChange(null);
      return;
    }
    setChange(Math.round((amount - before) * 100) / 100);
    const timer = setTimeout(() => setChange(null), CHANGE_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [amount]);
  return change;
}
