import { removeStored, storedKeys } from './storage';
import { forgetToken, quotesWithToken } from './tokens';

/** The prefix of storage keys for unsaved answers. */
export const DRAFTS = 'layby.draft.';
/** The prefix of storage keys for the last saved quotes. */
export const LAST_QUOTES = 'layby.quote.';
/** The prefix of storage keys for quotes opened by a partner's link. */
export const CLICK_THROUGHS = 'layby.click.';
/** The prefix of session storage keys for answers about exclusions. */
export const EXCLUSION_ANSWERS = 'layby.exclusions.';
/** The prefix of session storage keys for the choice to pay monthly. */
export const MONTHLY_CHOICES = 'layby.monthly.';
/** The prefix of session storage keys for changes of a policy that are not saved. */
export const POLICY_CHANGES = 'layby.change.';

/**
 * Removes every token and the typed answers of every quote and policy: the next visitor may be
 * another person.
 */
export function forgetAnswers(): void {
  for (const uuid of quotesWithToken()) forgetToken(uuid);
  for (const prefix of [DRAFTS, LAST_QUOTES, CLICK_THROUGHS]) {
    for (const key of storedKeys(prefix)) removeStored(key);
  }
  for (const prefix of [EXCLUSION_ANSWERS, MONTHLY_CHOICES, POLICY_CHANGES]) {
    for (const key of storedKeys(prefix, 'session')) removeStored(key, 'session');
  }
}
