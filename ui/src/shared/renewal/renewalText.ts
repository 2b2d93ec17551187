import type { PolicyTerm } from '../../api/policies/policyTypes';
import { formatLongDate } from '../../lib/dates/dates';

// The texts about a policy and its renewal, for every page.

/** The text if the payment by the stored card is unclear. */
export const CARD_UNCLEAR =
  'We could not find out whether the card that paid for it was charged for your next year. Please call us before you pay again.';

/**
 * Returns the text about the days of the term without cover, because the policy ends early. Returns
 * null if there are none.
 */
export function uncoveredDaysText({
  pending_cancellation: ending,
  expiry,
}: PolicyTerm): string | null {
  if (!ending || ending.effective_date > expiry) return null;
  const [first, last] = [formatLongDate(ending.effective_date), formatLongDate(expiry)];
  return first === last
    ? `${first} is not covered.`
    : `The days from ${first} to ${last} are not covered.`;
}

/** Returns the text about the renewal's policy, or null without a renewal. */
export function renewedText({ next_year, renewal }: PolicyTerm): string | null {
  if (next_year !== 'renewed' || !renewal) return null;
  return `It is renewed by ${renewal.reference}, which covers you from ${formatLongDate(renewal.starts)}.`;
}

/**
 * Returns the text about a next year that is bought and stays after an early end. Returns null if
 * it is not bought.
 */
export function renewalKeptText({ next_year, renewal }: PolicyTerm): string | null {
  if (next_year !== 'renewed' || !renewal) return null;
  return `Your next year, policy ${renewal.reference}, is bought and stays: it covers you from ${formatLongDate(renewal.starts)}.`;
}
