import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import useSWR, { unstable_serialize, useSWRConfig } from 'swr';
import { ApiError, api } from '../../api/client';
import type { PriceFigures, SerializedProduct } from '../../api/types';
import { type PriceRequest, priceRequest } from './pricing';
import type { Source } from './tracking';

/** A watched answer settles for a second before a new price is asked. */
export const PRICE_DEBOUNCE_MS = 1000;
const CHANGE_SHOWN_MS = 4000;

const PATH = '/api/v1/price';

type PriceKey = readonly [typeof PATH, string];

function keyOf(product: SerializedProduct | null, source?: Source): PriceKey | null {
  return product ? [PATH, JSON.stringify(priceRequest(product, source))] : null;
}

async function fetchPrice([path, request]: PriceKey): Promise<PriceFigures> {
  const answer = await api.post(path, { body: JSON.parse(request) as PriceRequest });
  return answer.figures;
}

const OPTIONS = {
  revalidateOnFocus: false,
  revalidateOnReconnect: false,
  revalidateIfStale: false,
  shouldRetryOnError: false,
} as const;

/** The price of one product as it stands; the same product is asked for once. */
export function useProductPrice(product: SerializedProduct | null, source?: Source) {
  return useSWR(keyOf(product, source), fetchPrice, { ...OPTIONS, keepPreviousData: true });
}

/** A product that has stood still for a second; the first one counts at once. */
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
  /** A newer figure is on its way: the old one is still shown. */
  pending: boolean;
  error: ApiError | null;
  retry: () => void;
}

/**
 * The price of what is chosen. The old figure stays until the new one is there; a failure
 * clears it.
 */
export function usePrice(
  now: SerializedProduct | null,
  settled: SerializedProduct | null,
  source?: Source,
): PriceState {
  const asked = now ? settled : null;
  // A figure that a choice card has already shown needs no second of waiting.
  const { cache } = useSWRConfig();
  const known = cache.get(unstable_serialize(keyOf(now, source)))?.data as PriceFigures | undefined;
  const { data, error, isValidating, mutate } = useProductPrice(asked, source);
  const waiting = now !== null && !isSettled(now, settled);
  // The figure seen last may have come from a choice card, and then no call of ours ever had it.
  const [last, setLast] = useState<PriceFigures | null>(null);
  const figures = now && !error ? (known ?? last ?? data ?? null) : null;
  if (figures !== last) setLast(figures);
  return {
    figures,
    pending: now !== null && !known && (waiting || isValidating),
    error: now && !isValidating ? asApiError(error) : null,
    retry: () => void mutate(),
  };
}

function asApiError(error: unknown): ApiError | null {
  if (!error) return null;
  return error instanceof ApiError ? error : new ApiError(0, 'We could not work out your price.');
}

/** By how much a figure has just changed, for a moment; null otherwise. */
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
