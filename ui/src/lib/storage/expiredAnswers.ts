import { CLICK_THROUGHS, DRAFTS, LAST_QUOTES } from './drafts';
import { isFresh } from './retention';
import { readStored, removeStored, storedKeys } from './storage';
import { quotesWithToken, tokenFor } from './tokens';

/** The quote that a stored value is about. */
function quoteIn(stored: unknown): unknown {
  return typeof stored === 'object' && stored !== null && 'uuid' in stored ? stored.uuid : stored;
}

/** Removes what has been kept for too long, of each product and quote, when a document begins. */
export function removeExpiredAnswers(now: Date = new Date()): void {
  for (const key of storedKeys(DRAFTS)) {
    if (!isFresh(readStored<{ at?: unknown }>(key)?.at, now)) removeStored(key);
  }
  // Tokens that are too old are removed as they are read.
  quotesWithToken(now);
  for (const key of [LAST_QUOTES, CLICK_THROUGHS].flatMap((prefix) => storedKeys(prefix))) {
    const quote = quoteIn(readStored(key));
    if (typeof quote !== 'string' || tokenFor(quote, now) === null) removeStored(key);
  }
}
