import type { Adjustment } from '../../api/policyTypes';
import { formatLongDate } from '../../lib/dates';
import { formatMoney } from '../../lib/money';

/** Money on its way back to the card, or there; a sentence. */
function backText(refund: NonNullable<Adjustment['refund']>, currency?: string): string {
  const amount = formatMoney(refund.amount, currency);
  if (refund.status === 'paid') return `${amount} came back to you.`;
  if (refund.status === 'pending') return `${amount} is on its way back to the card that paid.`;
  if (refund.status === 'refused') {
    return `Your bank did not take back ${amount}, so we still owe it to you. We will contact you to pay it another way, or you can call us.`;
  }
  return `${amount} comes back to the card that paid.`;
}

/** What was paid for a change, or comes back and when: what is true of it as it stands. */
export function changeMoney(adjustment: Adjustment, currency?: string): string {
  const { amount_now: due, refund, status } = adjustment;
  const amount = formatMoney(Math.abs(due), currency);
  switch (status) {
    case 'applied':
      if (due > 0) return `You paid ${amount}.`;
      if (due === 0) return 'The price stayed the same.';
      return refund ? backText(refund, currency) : `${amount} came back to you.`;
    case 'agreed':
      if (due > 0) return `You paid ${amount}.`;
      if (due === 0) return 'It costs nothing.';
      return `${amount} comes back to the card that paid on ${formatLongDate(adjustment.effective_date)}.`;
    case 'pending':
      if (due > 0) return `It costs ${amount}.`;
      if (due === 0) return 'It costs nothing.';
      return `${amount} comes back to the card that paid.`;
    default:
      // Given up: what had been paid for it comes back.
      if (!adjustment.agreed || due <= 0) return 'Nothing was charged for it.';
      return [`You had paid ${amount}.`, refund && backText(refund, currency)]
        .filter(Boolean)
        .join(' ');
  }
}
