import type { Adjustment } from '../../api/policies/policyTypes';
import { formatLongDate } from '../../lib/dates/dates';
import { formatMoney } from '../../lib/format/money';
import { spreadText } from '../plan/spreadText';

/** Returns the text about a paid refund. The customer's bank may not show the refund yet. */
function refundedText(amount: string): string {
  return `${amount} was paid back to you. Your bank may need a few working days to show it.`;
}

/** Returns the text about a refund, by the refund's status. */
export function refundText(
  refund: Pick<NonNullable<Adjustment['refund']>, 'amount' | 'status'>,
  currency?: string,
): string {
  const amount = formatMoney(refund.amount, currency);
  if (refund.status === 'paid') return refundedText(amount);
  if (refund.status === 'pending') return `${amount} is on its way back to the card that paid.`;
  if (refund.status === 'disputed') {
    return `Your bank is deciding a dispute of your payment, and the refund of ${amount} waits for that.`;
  }
  if (refund.status === 'unconfirmed') {
    return `We asked for your refund of ${amount} and could not confirm it yet. We will check it and contact you, or you can call us.`;
  }
  if (refund.status === 'refused') {
    return `The refund of ${amount} to your card could not be made, so we still owe it to you. We will contact you to pay it another way, or you can call us.`;
  }
  return `${amount} comes back to the card that paid.`;
}

/** Returns the text about a change that is spread over monthly payments. */
function spreadMoney(adjustment: Adjustment, currency?: string): string {
  const { amount_now: due, refund, status, agreed } = adjustment;
  const amount = formatMoney(Math.abs(due), currency);
  if (status === 'pending') return spreadText(due, currency);
  if (status !== 'applied' && status !== 'agreed') {
    return agreed ? `The ${amount} no longer counts.` : 'Nothing was charged for it.';
  }
  const back = refund && refund.amount > 0 ? refundText(refund, currency) : '';
  const direction = due > 0 ? 'added to' : 'taken off';
  return `${amount} was ${direction} your monthly payments. ${back}`.trim();
}

/** Returns the text about the payment or the refund of a change, by the change's status. */
export function changeMoney(adjustment: Adjustment, currency?: string): string {
  const { amount_now: due, refund, status } = adjustment;
  const amount = formatMoney(Math.abs(due), currency);
  if (adjustment.is_spread) return spreadMoney(adjustment, currency);
  switch (status) {
    case 'applied':
      if (due > 0) return `You paid ${amount}.`;
      if (due === 0) return 'The price stayed the same.';
      return refund ? refundText(refund, currency) : refundedText(amount);
    case 'agreed':
      if (due > 0) return `You paid ${amount}.`;
      if (due === 0) return 'It costs nothing.';
      return `${amount} is sent back to the card that paid on ${formatLongDate(adjustment.effective_date)}.`;
    case 'pending':
      if (due > 0) return `It costs ${amount}.`;
      if (due === 0) return 'It costs nothing.';
      return `${amount} comes back to the card that paid.`;
    default:
      // The change was withdrawn, superseded or has expired. A payment for an agreed change is
      // refunded.
      if (!adjustment.agreed || due <= 0) return 'Nothing was charged for it.';
      return [`You had paid ${amount}.`, refund && refundText(refund, currency)]
        .filter(Boolean)
        .join(' ');
  }
}
