import { removeStored, storedKeys } from './storage';

/** What the names of answers begin with that are not saved yet. */
export const DRAFTS = 'layby.draft.';
/** What the names of the quotes begin with that were saved last. */
export const LAST_QUOTES = 'layby.quote.';

/**
 * Forgets what was typed and not saved, and which quotes were saved last: whoever comes next may be
 * another person.
 */
export function forgetDrafts(): void {
  for (const key of [...storedKeys(DRAFTS), ...storedKeys(LAST_QUOTES)]) removeStored(key);
}
