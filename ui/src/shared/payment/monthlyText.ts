import type { PolicyPlan } from '../../api/policies/policyTypes';
import type { PlanOffer } from '../../api/types';
import { formatDayInWords, parseIsoDate } from '../../lib/dates/dates';

// The texts about paying monthly. They use no word of the Consumer Credit Act.

type Payment = PlanOffer['payments'][number];
type SoldPlan = Pick<PolicyPlan, 'status' | 'card_id'> & {
  payments: (Payment & Pick<PolicyPlan['payments'][number], 'state'>)[];
};
type Write = (amount: number) => string;

/** What a customer must know before paying monthly, besides the plan and the server's consent. */
export const MONTHLY_NOTES = [
  'Your cover is for the whole year, not for a month.',
  "If a payment fails, we may try it again after 3 and 7 days. If it stays unpaid, we give you at least 14 days' notice, and then your cover ends.",
  'If you cancel, you make no payment that is not due yet.',
];

/** What a customer must know if the insurer grants the credit. The documents say the same. */
export const MONTHLY_GRANTOR = 'It is the insurer who lets you pay monthly.';

/** Returns the text if the customer chose to pay monthly and the price can't be paid so. */
export function notOfferedText(amount: string): string {
  return `This price can't be paid monthly. You pay ${amount} now.`;
}

/** Returns the amount that a plan takes at purchase. */
export const firstAmount = (plan: PlanOffer): number => plan.payments[0]?.amount ?? plan.total;

function ordinal(day: number): string {
  const isTeen = day > 10 && day < 14;
  const suffix = (!isTeen && ['th', 'st', 'nd', 'rd'][day % 10]) || 'th';
  return `${day}${suffix}`;
}

/** Returns the number and the amount of payments, such as "11 payments of £4.01". */
function amountsText(payments: Payment[], write: Write): string {
  const [first] = payments;
  const count = `${payments.length} payment${payments.length === 1 ? '' : 's'}`;
  if (first && payments.every(({ amount }) => amount === first.amount)) {
    return `${count} of ${write(first.amount)}`;
  }
  const pence = payments.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0);
  return `${count} of ${write(pence / 100)} in all`;
}

/**
 * Returns the days of payments, such as "on the 23rd of each month until 23 October 2027". `bought`
 * is the day of purchase. A month without this day has its payment on its last day.
 */
function daysText(payments: Payment[], bought: string): string {
  const last = formatDayInWords(payments.at(-1)?.due);
  if (payments.length === 1) return `on ${last}`;
  const day = parseIsoDate(bought)?.day ?? 0;
  const isShort = payments.some(({ due }) => parseIsoDate(due)?.day !== day);
  const each = `on the ${ordinal(day)} of each month`;
  const instead = isShort ? `, or its last day if it has no ${ordinal(day)},` : '';
  return `${each}${instead} until ${last}`;
}

/** Returns the payments after the first, with their days. Returns "" if there are none. */
export function laterText([first, ...others]: Payment[], write: Write): string {
  if (!first || others.length === 0) return '';
  return `${amountsText(others, write)} ${daysText(others, first.due)}`;
}

/** Returns the short text of a plan, such as "£4.05 today, then 11 payments of £4.01". */
export function choiceText(plan: PlanOffer, write: Write): string {
  const text = amountsText(plan.payments.slice(1), write);
  return `${write(firstAmount(plan))} today, then ${text}`;
}

/** Returns the text of a plan beside the annual price. */
export function besideAnnualText(plan: PlanOffer, write: Write): string {
  const { payments } = plan;
  const each = write(payments[1]?.amount ?? 0);
  const month = payments.length === 2 ? 'in a month' : 'a month';
  return `or ${payments.length} payments: ${write(firstAmount(plan))} today, then ${each} ${month}`;
}

/** Returns the whole text of a plan: amounts, days and total. */
export function planText(plan: PlanOffer, write: Write): string {
  const text = laterText(plan.payments, write);
  return `${write(firstAmount(plan))} today, then ${text}. ${write(plan.total)} in all, the same as paying at once. No interest, no charge.`;
}

/**
 * Returns the text of a monthly policy's plan after the purchase. Returns null if no payment is
 * planned.
 */
export function afterSaleText(plan: SoldPlan, paid: number, write: Write): string | null {
  const [first, ...others] = plan.payments;
  const upcoming = others.filter(({ state }) => state === 'upcoming');
  if (!first || plan.status !== 'active' || upcoming.length === 0) return null;
  const who = plan.card_id === null ? 'You pay the rest in' : 'We charge your card';
  return `You paid ${write(paid)}. ${who} ${laterText([first, ...upcoming], write)}.`;
}
