import { CLICK_THROUGHS, DRAFTS, LAST_QUOTES } from './drafts';
import { isFresh } from './retention';
import { readStored, removeStored, storedKeys } from './storage';
import { quotesWithToken, tokenFor } from './tokens';

/**
 * Returns the uuid of the quote in a stored value, which is the uuid or an object with the uuid.
 */
function quoteIn(stored: unknown): unknown {
  return typeof stored === 'object' && stored !== null && 'uuid' in stored ? stored.uuid : stored;
}

/**
 * Removes expired drafts and tokens, and stored references to quotes without a token. Must run when
 * a document starts.
 */
export function removeExpiredAnswers(now: Date = new Date()): void {
  for (const key of storedKeys(DRAFTS)) {
    if (!isFresh(readStored<{ at?: unknown }>(key)?.at, now)) removeStored(key);
  }
  // Reading removes the expired tokens.
  quotesWithToken(now);
  for (const key of [LAST_QUOTES, CLICK_THROUGHS].flatMap((prefix) => storedKeys(prefix))) {
    const quote = quoteIn(readStored(key));
    if (typeof quote !== 'string' || tokenFor(quote, now) === null) removeStored(key);
  }
}
