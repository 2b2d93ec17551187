import { removeStored, storedKeys } from './storage';
import { forgetToken, quotesWithToken } from './tokens';

/** What the names of answers begin with that are not saved yet. */
export const DRAFTS = 'layby.draft.';
/** What the names of the quotes begin with that were saved last. */
export const LAST_QUOTES = 'layby.quote.';
/** What the names of the quotes begin with that a partner's link opened. */
export const CLICK_THROUGHS = 'layby.click.';
/** What the names of answers begin with about the gaps of a cover. */
export const GAP_ANSWERS = 'layby.gaps.';

/** Forgets every token of this browser and what was typed: whoever comes next may be another person. */
export function forgetAnswers(): void {
  for (const uuid of quotesWithToken()) forgetToken(uuid);
  for (const prefix of [DRAFTS, LAST_QUOTES, CLICK_THROUGHS]) {
    for (const key of storedKeys(prefix)) removeStored(key);
  }
  for (const key of storedKeys(GAP_ANSWERS, 'session')) removeStored(key, 'session');
}
