import type { Activity, Refund } from '../../api/policyTypes';
import { formatLongDate } from '../../lib/dates';
import { formatMoney } from '../../lib/money';

export { endText } from '../../components/cover/standing';

/** What the end of the policy does to an agreed change that is still to come; null if nothing. */
export function droppedText(activity: Activity, currency?: string): string | null {
  const { dropped_change: dropped, status } = activity;
  if (!dropped) return null;
  const not = `The change that you agreed for ${formatLongDate(dropped.effective_date)} is not made any more.`;
  if (dropped.amount_back <= 0) return not;
  const amount = `The ${formatMoney(dropped.amount_back, currency)} that you paid for it`;
  return status === 'preview'
    ? `${not} ${amount} comes back to the card that paid at once.`
    : `${not} ${amount} is paid back to the card that paid, beside the refund.`;
}

/** A sentence that says what comes back. */
export function comesBack(
  { amount }: Pick<Refund, 'amount'>,
  on: string | null,
  currency?: string,
) {
  if (amount <= 0) return 'Nothing comes back.';
  const day = on ? ` on ${formatLongDate(on)}` : '';
  return `${formatMoney(amount, currency)} comes back to the card that paid${day}.`;
}

/** The label of a figure that comes back on a day, or at once. */
export function backLabel(on: string | null): string {
  return `Comes back to the card that paid${on ? ` on ${formatLongDate(on)}` : ''}`;
}

/** What holds for the figure of a later day. */
export const LATER_FIGURE =
  'This is the figure for that day as your policy is now. If the policy changes before then, it is worked out again.';
