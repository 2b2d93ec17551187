import type { PolicyTerm } from '../../api/policies/policyTypes';
import { formatLongDate } from '../../lib/dates/dates';

// What is said, on every page, of a policy and of the one that renews it.

/** What is said where nobody knows whether the stored card paid for the next year. */
export const CARD_UNCLEAR =
  'We could not find out whether the card that paid for it was charged for your next year. Please call us before you pay again.';

/** The days of its term that a policy doesn't cover because it is to end early; null where there are none. */
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

/** That a policy is renewed, and by which; null where it is not. */
export function renewedText({ next_year, renewal }: PolicyTerm): string | null {
  if (next_year !== 'renewed' || !renewal) return null;
  return `It is renewed by ${renewal.reference}, which covers you from ${formatLongDate(renewal.starts)}.`;
}

/** That the next year is bought and stays, where its policy ends early; null where it is not bought. */
export function renewalKeptText({ next_year, renewal }: PolicyTerm): string | null {
  if (next_year !== 'renewed' || !renewal) return null;
  return `Your next year, policy ${renewal.reference}, is bought and stays: it covers you from ${formatLongDate(renewal.starts)}.`;
}
