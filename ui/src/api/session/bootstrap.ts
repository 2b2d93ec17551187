import { mutate } from 'swr';
import { mayBeLoggedIn } from '../../lib/session/mayBeLoggedIn';
import { profileKey } from '../hooks';
import type { PriceFigures } from '../types';

/** What each choice of a product's compared field costs, with what is assumed for all else. */
export interface FirstPrices {
  product: string;
  field: string;
  assumed: Record<string, string | number | boolean>;
  choices: { value: string | number; figures: PriceFigures }[];
}

/** What came with the page: answers by the addresses at which they would be read, and prices. */
interface BootstrapData {
  answers?: Record<string, unknown>;
  prices?: FirstPrices;
}

function read(): BootstrapData {
  try {
    const text = document.getElementById('beginning')?.textContent;
    return text ? (JSON.parse(text) as BootstrapData) : {};
  } catch {
    // Everything in it can be asked for.
    return {};
  }
}

/** The prices that came with the page, and the address that they are for. */
let prices: (FirstPrices & { address: string }) | null = null;

/** Puts the answers that came with the page where they would be read, so that nobody asks for them. */
export function seedCache(): void {
  const data = read();
  for (const [address, answer] of Object.entries(data.answers ?? {})) {
    void mutate(address, answer, { revalidate: false });
  }
  prices = data.prices ? { ...data.prices, address: currentPath() } : null;
}

/**
 * Says at once that nobody is logged in where nobody can be. Found out later, it would draw the whole page
 * again.
 */
export function seedLoggedOut(): void {
  if (!mayBeLoggedIn(currentPath())) void mutate(profileKey(null), null, { revalidate: false });
}

/** The prices that came with the page, if they are for this product at this address. */
export function bootstrapPrices(product: string): FirstPrices | null {
  return prices?.product === product && prices.address === currentPath() ? prices : null;
}

function currentPath(): string {
  return window.location.pathname;
}
