import { mutate } from 'swr';
import { mayBeLoggedIn } from '../../lib/session/mayBeLoggedIn';
import { profileKey } from '../hooks';
import type { PriceFigures } from '../types';

/** The price of each choice of the compared field. All other answers are assumed. */
export interface FirstPrices {
  product: string;
  field: string;
  assumed: Record<string, string | number | boolean>;
  choices: { value: string | number; figures: PriceFigures }[];
}

/** The data embedded in the page: responses by their address, and first prices. */
interface BootstrapData {
  answers?: Record<string, unknown>;
  prices?: FirstPrices;
}

function read(): BootstrapData {
  try {
    const text = document.getElementById('beginning')?.textContent;
    return text ? (JSON.parse(text) as BootstrapData) : {};
  } catch {
    // If the data can't be parsed, the page reads the same data by calls.
    return {};
  }
}

/** The embedded prices, and the address of their page. */
let prices: (FirstPrices & { address: string }) | null = null;

/** Seeds SWR's cache with the responses embedded in the page, and stores the embedded prices. */
export function seedCache(): void {
  const data = read();
  for (const [address, answer] of Object.entries(data.answers ?? {})) {
    void mutate(address, answer, { revalidate: false });
  }
  prices = data.prices ? { ...data.prices, address: currentPath() } : null;
}

/**
 * Stores in the cache that nobody is logged in, if the visitor can't be logged in. A later response
 * would render the whole page again.
 */
export function seedLoggedOut(): void {
  if (!mayBeLoggedIn()) void mutate(profileKey(null), null, { revalidate: false });
}

/** Returns the embedded prices, if they are for this product at this address. */
export function bootstrapPrices(product: string): FirstPrices | null {
  return prices?.product === product && prices.address === currentPath() ? prices : null;
}

function currentPath(): string {
  return window.location.pathname;
}
