import type { StoredCard } from '../../api/policies/plans';
import type { Activity, PolicyPlan, PolicyTerm } from '../../api/policies/policyTypes';
import { formatLongDate } from '../../lib/dates/dates';
import { formatMoney } from '../../lib/format/money';
import { cardName } from './cardText';

type Payment = PolicyPlan['payments'][number];
type Stopped = NonNullable<Activity['stopped_payments']>;

/** What advice about money a customer gets who has difficulties to pay. The letters say the same. */
export const MONEY_ADVICE =
  'If it is hard for you to pay, please call us. MoneyHelper gives free advice about money on 0800 138 7777.';

/** Returns the text while a charge has no outcome. No other payment can begin before. */
export function chargingText({ is_unclear }: PolicyPlan): string {
  return is_unclear
    ? 'We could not find out whether your card was charged. Please call us before you pay again.'
    : 'A charge of your card has no outcome yet. Most take a few minutes, some a day. Please wait before you pay.';
}

export const PAYMENT_STATES: Readonly<Record<Payment['state'], string>> = {
  paid: 'Paid',
  due: 'Due now',
  upcoming: 'To come',
  stopped: 'Not collected',
};

/** Returns the sum of payments, in pounds. */
export function sumOf(payments: readonly Pick<Payment, 'amount'>[]): number {
  return Math.round(payments.reduce((sum, { amount }) => sum + amount * 100, 0)) / 100;
}

export function paidOf({ payments }: PolicyPlan): Payment[] {
  return payments.filter(({ state }) => state === 'paid');
}

/** Checks whether a payment failed, or cover ends unless the customer pays. */
export function needsPayment({ status, due }: PolicyPlan): boolean {
  return (status === 'failed' || status === 'notice') && due > 0;
}

/** Returns the title of the notice about a plan that needs a payment by the customer. */
export function noticeTitle(plan: PolicyPlan): string {
  return plan.status === 'notice' && plan.last_day
    ? `Your cover ends on ${formatLongDate(plan.last_day)} unless you pay`
    : 'A monthly payment is unpaid';
}

/** Returns the text of the notice about a plan that needs a payment by the customer. */
export function noticeText(plan: PolicyPlan, currency?: string): string {
  const due = formatMoney(plan.due, currency);
  if (plan.status === 'notice' && plan.last_day) {
    const day = formatLongDate(plan.last_day);
    return `${due} of your monthly payments is unpaid. If you pay it by the end of ${day}, your cover goes on. If not, your cover ends at the end of that day.`;
  }
  const retry = plan.next_try ? ` We try the card again on ${formatLongDate(plan.next_try)}.` : '';
  return `${due} is due. Your policy goes on.${retry} If it stays unpaid, we write to you at least 14 days before your cover ends.`;
}

/** Returns the first payment that is not collected yet and that is to be collected. */
export function nextPayment({ payments, next_day: day }: PolicyPlan): Payment | undefined {
  return payments.find(({ due, state }) => due === day && state !== 'paid');
}

/** Returns the words for the card that pays for a plan. `card` is undefined if it is not known. */
function cardText(card: StoredCard | undefined): string {
  return card?.last_four ? cardName(card).replace(/^Card/, 'the card') : 'the stored card';
}

/** Returns the sentence about what a customer pays next. `card` is the card with the plan's `card_id`. */
export function nextPaymentText(
  plan: PolicyPlan,
  card: StoredCard | undefined,
  currency?: string,
): string {
  if (plan.status === 'ended') return 'Your policy has ended. Nothing more is collected.';
  if (plan.is_charging) return chargingText(plan);
  if (plan.left === 0) {
    return plan.payments.every(({ state }) => state === 'paid')
      ? 'You have paid all of your payments. Nothing more is due.'
      : 'Nothing more is due before your policy ends.';
  }
  const hasCard = plan.card_id !== null;
  if (plan.due > 0) {
    const due = `${formatMoney(plan.due, currency)} is due now.`;
    if (needsPayment(plan)) return due;
    return hasCard
      ? `${due} We charge ${cardText(card)} once a day at most, until all that is due is paid.`
      : `${due} We have no card to charge for it, so please pay it here.`;
  }
  const next = nextPayment(plan);
  if (!next) return '';
  const payment = `${formatMoney(next.amount, currency)} is due on ${formatLongDate(next.due)}.`;
  return hasCard
    ? `${payment} We charge it to ${cardText(card)}.`
    : `${payment} We have no card to charge for it. Please add one, or pay it here on that day.`;
}

/**
 * Returns the sentence about the payments that a scheduled cancellation stops. Returns null if it
 * stops none.
 */
export function stoppingText(policy: PolicyTerm, currency?: string): string | null {
  const ending = policy.pending_cancellation;
  const stopped = ending?.stopped_payments;
  if (!ending || !stopped || stopped.count === 0) return null;
  const cause = ending.is_by_shop ? 'We will end this policy.' : 'You asked to cancel this policy.';
  return `${cause} ${stoppedText(stopped, false, currency)} Those due before ${formatLongDate(ending.effective_date)} are still collected.`;
}

/** Returns the sentence about the payments that a cancellation stops, or has stopped. */
export function stoppedText(
  { count, total }: Stopped,
  hasStopped: boolean,
  currency?: string,
): string {
  if (count === 0) return 'No monthly payment is left to stop.';
  const payments =
    count === 1
      ? `One monthly payment of ${formatMoney(total, currency)}`
      : `${count} monthly payments of ${formatMoney(total, currency)} in all`;
  if (hasStopped) return `${payments} stopped.`;
  return `${payments} ${count === 1 ? 'stops' : 'stop'}.`;
}
