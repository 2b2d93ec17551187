import type { StoredCard } from '../api/policies/plans';
import type { PolicyPlan } from '../api/policies/policyTypes';
import { UUID } from './data';
import { day } from './policy';

const CARD = '0197f3c2-0000-7000-8000-000000000041';

/** Returns a plan of four payments of £5.00. By default the first is paid, and nothing is due. */
export function plan(change: Partial<PolicyPlan> = {}): PolicyPlan {
  return {
    status: 'active',
    total: 20,
    payments: [
      { due: day(-40), amount: 5, state: 'paid', paid_on: day(-40) },
      { due: day(-10), amount: 5, state: 'paid', paid_on: day(-9) },
      { due: day(20), amount: 5, state: 'upcoming', paid_on: null },
      { due: day(50), amount: 5, state: 'upcoming', paid_on: null },
    ],
    due: 0,
    left: 10,
    is_charging: false,
    is_unclear: false,
    card_id: CARD,
    next_try: null,
    consent: 'We charge each later payment to the card you pay with now.',
    next_day: day(20),
    last_day: null,
    ...change,
  };
}

/** Returns a plan whose second payment is not paid. */
export function unpaidPlan(change: Partial<PolicyPlan> = {}): PolicyPlan {
  const payments = plan().payments.map((payment, index) =>
    index === 1 ? { ...payment, state: 'due' as const, paid_on: null } : payment,
  );
  return plan({ status: 'failed', payments, due: 5, left: 15, next_day: day(-10), ...change });
}

/** Returns a card that pays for the policy of the tests. */
export function storedCard(change: Partial<StoredCard> = {}): StoredCard {
  return {
    id: CARD,
    gateway: 'sandbox',
    brand: 'visa',
    last_four: '4242',
    expiry: '2034-12',
    consent: 'We charge each later payment to this card.',
    agreed: '2026-11-21T12:00:00Z',
    policies: [{ uuid: UUID, reference: 'BRK100000001', renews: false, pays_plan: true }],
    ...change,
  };
}
