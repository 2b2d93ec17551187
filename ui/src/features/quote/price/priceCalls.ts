import { useEffect } from 'react';
import { ApiError, api } from '../../../api/client';
import type { Answer } from '../../../api/operations';
import type { PriceFigures, SerializedProduct } from '../../../api/types';
import type { Source } from '../start/tracking';
import { type PriceRequest, priceRequest } from './pricing';

// The price of a quote has its own call, as the specification requires. Prices of choices share a
// call.

/** The number of tries with a server that asks to wait. */
const TRIES = 6;

/** The time, in milliseconds, in which the prices of choices are collected for one call. */
const BATCH_DELAY_MS = 50;

/** The most prices in one call to the server. */
const MAX_PRICES = 16;

const PATH = '/api/v1/price';

export type PriceKey = readonly [typeof PATH, string];

/** Returns the cache key of the price of these answers, or null without answers. */
export function keyOf(product: SerializedProduct | null, source?: Source): PriceKey | null {
  return product ? [PATH, JSON.stringify(priceRequest(product, source))] : null;
}

const requestOf = ([, request]: PriceKey) => JSON.parse(request) as PriceRequest;

const waitSeconds = (seconds: number) =>
  new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/**
 * Repeats a call while the server answers 429, up to `TRIES` calls. Many customers may share one IP
 * address and its limit. Stops if `isWanted` returns false.
 */
export async function fetchWithRetry<T>(ask: () => Promise<T>, isWanted = () => true): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429 || attempts === TRIES) throw error;
      await waitSeconds(error.retryAfter ?? attempts);
      if (!isWanted()) throw error;
    }
  }
}

export function fetchPrice(key: PriceKey): Promise<PriceFigures> {
  return fetchWithRetry(async () => (await api.post(PATH, { body: requestOf(key) })).figures);
}

type PriceResult = Answer<'post', '/api/v1/prices'>[number];

interface QueuedPrice {
  key: PriceKey;
  resolve: (figures: PriceFigures) => void;
  reject: (error: unknown) => void;
}

let queue: QueuedPrice[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
/** The number of components that show prices of choices. */
let shown = 0;

/** Reads the price of a choice, in one call with the prices of other choices. */
export function fetchOptionPrice(key: PriceKey): Promise<PriceFigures> {
  return new Promise((resolve, reject) => {
    queue.push({ key, resolve, reject });
    timer ??= setTimeout(sendQueue, BATCH_DELAY_MS);
  });
}

function takeQueue(): QueuedPrice[] {
  clearTimeout(timer);
  timer = undefined;
  const batch = queue;
  queue = [];
  return batch;
}

function sendQueue() {
  const batch = takeQueue();
  for (let from = 0; from < batch.length; from += MAX_PRICES) {
    void sendBatch(batch.slice(from, from + MAX_PRICES));
  }
}

async function sendBatch(batch: QueuedPrice[]) {
  const body = { requests: batch.map(({ key }) => requestOf(key)) };
  try {
    const ask = () => api.post('/api/v1/prices', { body });
    const results = await fetchWithRetry(ask, () => shown > 0);
    for (const [index, { resolve, reject }] of batch.entries()) {
      const result = results[index];
      if (result?.figures) resolve(result.figures);
      else reject(errorOf(result));
    }
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}

function errorOf(result: PriceResult | undefined): ApiError {
  const failure = result?.failure;
  return new ApiError(
    result?.status ?? 0,
    failure?.message ?? 'We could not work out this price.',
    failure?.errors,
    failure?.code,
  );
}

/**
 * Counts the components that show prices of choices. When the last of these components is removed,
 * rejects the waiting requests.
 */
export function useOptionPrices() {
  useEffect(() => {
    shown += 1;
    return () => {
      shown -= 1;
      if (shown > 0) return;
      for (const { reject } of takeQueue()) reject(new ApiError(0, 'The page was left.'));
    };
  }, []);
}
