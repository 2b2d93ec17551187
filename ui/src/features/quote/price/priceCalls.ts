import { useEffect } from 'react';
import { ApiError, api } from '../../../api/client';
import type { Answer } from '../../../api/operations';
import type { PriceFigures, SerializedProduct } from '../../../api/types';
import type { Source } from '../start/tracking';
import { type PriceRequest, priceRequest } from './pricing';

// The price of a quote is asked for alone, as the specification has it. The prices of choices beside it
// are asked for together.

/** How often a price is asked for of a server that tells us to wait. */
const TRIES = 6;

/** How long prices of choices are gathered for one call: a page draws all of them within it. */
const GATHER_MS = 50;

/** Most prices that the server takes in one call. */
const MAX_PRICES = 16;

const PATH = '/api/v1/price';

export type PriceKey = readonly [typeof PATH, string];

/** The price of these answers in the cache. */
export function keyOf(product: SerializedProduct | null, source?: Source): PriceKey | null {
  return product ? [PATH, JSON.stringify(priceRequest(product, source))] : null;
}

const requestOf = ([, request]: PriceKey) => JSON.parse(request) as PriceRequest;

const later = (seconds: number) => new Promise((done) => setTimeout(done, seconds * 1000));

/**
 * Many people behind one address may ask for more prices than one client has. Whoever has to wait sees
 * the price pending, and no error.
 */
async function askPatiently<T>(ask: () => Promise<T>, isWanted = () => true): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429 || tried === TRIES) throw error;
      await later(error.retryAfter ?? tried);
      if (!isWanted()) throw error;
    }
  }
}

export function fetchPrice(key: PriceKey): Promise<PriceFigures> {
  return askPatiently(async () => (await api.post(PATH, { body: requestOf(key) })).figures);
}

type Outcome = Answer<'post', '/api/v1/prices'>[number];

interface Waiting {
  key: PriceKey;
  resolve: (figures: PriceFigures) => void;
  reject: (error: unknown) => void;
}

let waiting: Waiting[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
/** How many components show prices of choices. */
let shown = 0;

/** The price of a choice, asked for together with those of others. */
export function fetchOptionPrice(key: PriceKey): Promise<PriceFigures> {
  return new Promise((resolve, reject) => {
    waiting.push({ key, resolve, reject });
    timer ??= setTimeout(sendWaiting, GATHER_MS);
  });
}

function takeWaiting(): Waiting[] {
  clearTimeout(timer);
  timer = undefined;
  const taken = waiting;
  waiting = [];
  return taken;
}

function sendWaiting() {
  const taken = takeWaiting();
  for (let from = 0; from < taken.length; from += MAX_PRICES) {
    void sendTogether(taken.slice(from, from + MAX_PRICES));
  }
}

async function sendTogether(taken: Waiting[]) {
  const body = { requests: taken.map(({ key }) => requestOf(key)) };
  try {
    const ask = () => api.post('/api/v1/prices', { body });
    const outcomes = await askPatiently(ask, () => shown > 0);
    for (const [index, { resolve, reject }] of taken.entries()) {
      const outcome = outcomes[index];
      if (outcome?.figures) resolve(outcome.figures);
      else reject(errorOf(outcome));
    }
  } catch (error) {
    for (const { reject } of taken) reject(error);
  }
}

function errorOf(outcome: Outcome | undefined): ApiError {
  const failure = outcome?.failure;
  return new ApiError(
    outcome?.status ?? 0,
    failure?.message ?? 'We could not work out this price.',
    failure?.errors,
    failure?.code,
  );
}

/** For whatever shows prices of choices: once nothing does, those that still wait are not asked for. */
export function useOptionPrices() {
  useEffect(() => {
    shown += 1;
    return () => {
      shown -= 1;
      if (shown > 0) return;
      for (const { reject } of takeWaiting()) reject(new ApiError(0, 'The page was left.'));
    };
  }, []);
}
