import type { Activity, Refund } from '../../../api/policies/policyTypes';
import { formatLongDate } from '../../../lib/dates/dates';
import { formatMoney } from '../../../lib/format/money';
import { stoppedText } from '../../../shared/plan/planText';

export { endText } from '../../../shared/cover/policyStatusText';

/**
 * Returns the text about the agreed change that the cancellation drops. Returns null if the
 * cancellation drops no change.
 */
export function droppedChangeText(activity: Activity, currency?: string): string | null {
  const { dropped_change: dropped, status } = activity;
  if (!dropped) return null;
  const dropText = `The change that you agreed for ${formatLongDate(dropped.effective_date)} is not made any more.`;
  if (dropped.amount_back <= 0) return dropText;
  const amount = `The ${formatMoney(dropped.amount_back, currency)} that you paid for it`;
  return status === 'preview'
    ? `${dropText} ${amount} comes back to the card that paid, which can take a few working days.`
    : `${dropText} ${amount} is paid back to the card that paid, beside the refund.`;
}

/**
 * Returns the text about the monthly payments that a cancellation stops, and those that still fall due
 * before a later end. Returns null for a policy without a plan.
 */
export function stoppedPaymentsText(activity: Activity, currency?: string): string | null {
  const { stopped_payments: stopped, status, last_day: last, effective_date: end } = activity;
  if (!stopped) return null;
  if (status === 'done') return stopped.count > 0 ? stoppedText(stopped, true, currency) : null;
  const isLater = last !== null;
  const before = isLater ? ` Those due before ${formatLongDate(end)} are still collected.` : '';
  return stoppedText(stopped, false, currency) + before;
}

/**
 * Returns the sentence about the refund. `refundDate` is the day of the transfer, or null for an
 * immediate refund.
 */
export function refundText(
  { amount }: Pick<Refund, 'amount'>,
  refundDate: string | null,
  currency?: string,
) {
  if (amount <= 0) return 'Nothing comes back.';
  const refund = formatMoney(amount, currency);
  // The bank needs some days to show a refund, so the sentence names only the day of the transfer.
  return refundDate
    ? `${refund} is sent back to the card that paid on ${formatLongDate(refundDate)}.`
    : `${refund} comes back to the card that paid.`;
}

/**
 * Returns the label of a refund on a later day, or of an immediate refund if `refundDate` is null.
 */
export function refundLabel(refundDate: string | null): string {
  return refundDate
    ? `Sent back to the card that paid on ${formatLongDate(refundDate)}`
    : 'Comes back to the card that paid';
}

/** The note on the refund of a cancellation for a later day. */
export const ESTIMATE_NOTE =
  'This is the figure for that day as your policy is now. If the policy changes before then, it is worked out again.';
