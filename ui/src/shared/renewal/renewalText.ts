import type { PolicyTerm } from '../../api/policies/policyTypes';
import { formatLongDate } from '../../lib/dates/dates';

// The texts about a policy and its renewal that several pages show.

/** The text if it is unclear whether the stored card was charged. */
export const CARD_UNCLEAR =
  'We could not find out whether the card that paid for it was charged for your next year. Please call us before you pay again.';

/**
 * Returns the text about the days of the term that a pending cancellation leaves without cover.
 * Returns null if there are no such days.
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

/** Returns the text about the policy of the next year, or null if the policy is not renewed. */
export function renewedText({ next_year, renewal }: PolicyTerm): string | null {
  if (next_year !== 'renewed' || !renewal) return null;
  return `It is renewed by ${renewal.reference}, which covers you from ${formatLongDate(renewal.starts)}.`;
}

/**
 * Returns the text that a bought next year stays valid after an early end of the policy. Returns
 * null if the next year is not bought.
 */
export function renewalKeptText({ next_year, renewal }: PolicyTerm): string | null {
  if (next_year !== 'renewed' || !renewal) return null;
  return `Your next year, policy ${renewal.reference}, is bought and stays: it covers you from ${formatLongDate(renewal.starts)}.`;
}
