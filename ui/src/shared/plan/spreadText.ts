import type { Adjustment, PolicyPlan } from '../../api/policies/policyTypes';
import { formatMoney } from '../../lib/format/money';

/** Returns the label of an amount that a change adds to, or takes off, the payments of a plan. */
export function spreadLabel(amount: number): string {
  return amount > 0 ? 'Added to your monthly payments' : 'Taken off your monthly payments';
}

/** Returns the sentence about an amount that a change adds to the payments of a plan. */
export function spreadText(amount: number, currency?: string): string {
  const figure = formatMoney(Math.abs(amount), currency);
  return amount > 0
    ? `It adds ${figure} to your monthly payments.`
    : `It takes ${figure} off your monthly payments.`;
}

/** A payment whose amount a change alters. An amount is null if there is no such payment. */
export interface ChangedPayment {
  due: string;
  before: number | null;
  after: number | null;
}

/** Returns the payments of a plan whose amounts a change alters, by day. */
export function changedPayments(
  before: PolicyPlan,
  after: NonNullable<Adjustment['plan']>,
): ChangedPayment[] {
  const amountOn = (payments: { due: string; amount: number }[], day: string) =>
    payments.find(({ due }) => due === day)?.amount ?? null;
  const days = new Set([...before.payments, ...after.payments].map(({ due }) => due));
  return [...days]
    .sort()
    .map((due) => ({
      due,
      before: amountOn(before.payments, due),
      after: amountOn(after.payments, due),
    }))
    .filter((payment) => payment.before !== payment.after);
}

/** Returns the part of a decrease that exceeds the payments left, which is refunded, in pounds. */
export function spreadRefund(before: PolicyPlan, { plan, amount_now: amount }: Adjustment): number {
  if (!plan) return 0;
  return Math.max(0, Math.round((plan.total - before.total - amount) * 100) / 100);
}
