import { cleanup } from '@testing-library/react';
import { mutate } from 'swr';
import { vi } from 'vitest';
import type {
  Activity,
  Adjustment,
  PolicyDocuments,
  PolicyRead,
  PolicyTerm,
  Renewal,
} from '../api/policies/policyTypes';
import { type Call, forId, type Server, setLoginHint } from '../api/testing';
import { addDays, todayInLondon, toFormDate, toIsoDate } from '../lib/dates/dates';
import { clearSnackbar } from '../lib/messages/snackbar';
import { MINIMUM_FETCH_MS } from '../lib/timing/withMinDelay';
import { profileOf, savedQuote, UUID } from './data';
import { serve } from './server';

export const RENEWAL = '0197f3c2-0000-7000-8000-000000000014';
export const ADJUSTMENT = '0197f3c2-0000-7000-8000-000000000021';

/** Returns the day that is `days` days after today, as `yyyy-MM-dd`. */
export const day = (days: number) => toIsoDate(addDays(todayInLondon(), days));

/** Returns the permitted actions: `view`, and the actions in `can`. */
export function may(can: Partial<PolicyTerm['can']> = {}): PolicyTerm['can'] {
  return {
    view: true,
    change: false,
    cancel: false,
    not_take_up: false,
    renew: false,
    auto_renew: false,
    ...can,
  };
}

export function term(change: Partial<PolicyTerm> = {}): PolicyTerm {
  return {
    inception: day(-100),
    expiry: day(264),
    cover_begins: `${day(-100)}T00:00:00Z`,
    auto_renew: false,
    paid: 74.48,
    is_disputed: false,
    purchased: `${day(-101)}T12:00:00Z`,
    can: {
      view: true,
      change: true,
      cancel: true,
      not_take_up: false,
      renew: false,
      auto_renew: true,
    },
    why_not: {},
    locked: ['start_date', 'email_primary'],
    renews_monthly: false,
    card_stored: true,
    cancellation: null,
    pending_cancellation: null,
    scheduled_change: null,
    change_days: { first: day(0), last: day(0) },
    cancel_days: null,
    renewal: null,
    next_year: change.renewed_by ? 'renewed' : change.auto_renew ? 'by_itself' : 'by_hand',
    renewed_by: null,
    renews: null,
    plan: null,
    ...change,
  };
}

export function read(
  policy: PolicyTerm = term(),
  info: Partial<PolicyRead['info']> = {},
): PolicyRead {
  const quote = savedQuote(UUID, 'BRK100000001', {
    status_id: 5,
    status_title: 'Live',
    dates: {
      created: `${day(-102)}T12:00:00Z`,
      inception: policy.inception,
      expiry: policy.expiry,
      quote_expiry: null,
      cover_begins: policy.cover_begins,
    },
    price: {
      amount_total: 74.48,
      amount_net: 66.5,
      amount_tax: 7.98,
      currency: 'GBP',
      per: 'year',
      basis: 'term',
      lines: [],
    },
    flags: { buyable: false, accepted: true, renewal_quote: false, policy: true },
    summary: [{ code: 'level', text: 'National cover' }],
    account: 'mine',
    ...info,
  });
  const start_date = toFormDate(addDays(todayInLondon(), -100));
  return { ...quote, values: { ...quote.values, start_date }, policy };
}

export function activity(change: Partial<Activity> = {}): Activity {
  return {
    id: 'a1',
    type: 'cancellation',
    status: 'done',
    reason_id: 2,
    reason: 'I sold the vehicle',
    note: null,
    is_by_shop: false,
    effective_date: day(0),
    stopped_payments: null,
    last_day: null,
    created: `${day(0)}T12:00:00Z`,
    ended_at: null,
    can_withdraw: false,
    dropped_change: null,
    refund: {
      amount: 41.07,
      status: 'pending',
      lines: [
        { code: 'unused', label: '264 of 365 days unused', amount: 53.87 },
        { code: 'fee', label: 'Cancellation fee', amount: -12.8 },
      ],
    },
    ...change,
  };
}

export function adjustment(change: Partial<Adjustment> = {}): Adjustment {
  return {
    adjustment_id: ADJUSTMENT,
    kind: 'increase',
    status: 'pending',
    notices: [],
    effective_date: day(0),
    premium_before: 74.48,
    premium_after: 92.3,
    amount_now: 12.89,
    tax_now: 1.38,
    plan: null,
    is_spread: false,
    days_left: 265,
    days_in_term: 365,
    expires: `${day(1)}T12:00:00Z`,
    lines: [
      { code: 'after', label: 'New price for the rest of the year', amount: 66.96 },
      { code: 'before', label: 'Old price for the rest of the year', amount: -54.07 },
    ],
    changes: [
      { kind: 'answer', path: 'key_cover', label: 'Key cover', before: 'No', after: 'Yes' },
    ],
    created: `${day(0)}T12:00:00Z`,
    agreed: null,
    applied: null,
    ended_at: null,
    can_withdraw: true,
    refund: null,
    revision: null,
    ...change,
  };
}

export const REFUSAL = 'A change is agreed already. Withdraw it first to ask for another.';

/** Returns a change that is agreed for ten days from now. */
export const agreed = (change: Partial<Adjustment> = {}) =>
  adjustment({
    status: 'agreed',
    effective_date: day(10),
    agreed: `${day(-1)}T12:00:00Z`,
    can_withdraw: true,
    ...change,
  });

/** Returns a policy with a scheduled change. */
export const changing = (change = agreed()) =>
  term({
    scheduled_change: change,
    can: may({ cancel: true, auto_renew: true }),
    why_not: { change: REFUSAL },
    cancel_days: { first: day(1), last: day(264) },
  });

/** Returns a cancellation that ends the cover in twenty days. */
export const ending = (change: Partial<Activity> = {}) =>
  activity({
    status: 'pending',
    effective_date: day(21),
    last_day: day(20),
    can_withdraw: true,
    refund: { ...activity().refund, status: 'none' },
    ...change,
  });

export const COMPARISON: Renewal = {
  policy_uuid: UUID,
  reference: 'BRK100000014',
  price_last_year: 74.48,
  price: 79.1,
  price_new_customer: 81.25,
  differences: [
    { label: 'Your vehicles are a year older', amount: 6.77 },
    { label: 'Never above a new customer', amount: -2.15 },
  ],
  starts: day(20),
  last_day: day(19),
  auto_renew: false,
  charge_on: null,
  next_year: 'by_hand',
  change_from: null,
  compare_text: 'You may find similar cover for less elsewhere.',
};

export const DOCUMENTS: PolicyDocuments = {
  documents: [
    {
      title: 'Your policy',
      documents: [
        { identifier: 'd1', title: 'Policy schedule', is_ready: true, date: day(-100) },
        { identifier: 'd2', title: 'Receipt', is_ready: true, date: day(-100) },
      ],
    },
  ],
  revisions: { '1': { date_revision: `${day(-100)}T09:00:00Z` } },
  external: [],
};

/** Starts a server with one policy and its owner. `own` responds first. */
export function hold(policy: () => PolicyRead, own: Server = {}): Call[] {
  return serve(own, {
    'GET /api/v1/profile': () => profileOf({ user_uuid: 'u1', user_username: 'ann@example.org' }),
    'GET /api/v2/policy/read/{id}': forId(UUID, () => ({ data: policy() })),
    'GET /api/v2/public/quote/read/{id}': forId(UUID, () => ({ data: policy() })),
    'GET /api/v1/policy/{id}/documents': forId(UUID, () => ({ data: DOCUMENTS })),
    'GET /api/v1/policy/{id}/mta': forId(UUID, () => ({ data: [] })),
    'POST /api/v1/policy/{id}/mta/price': forId(UUID, () => ({
      data: {
        effective_date: day(0),
        premium_before: 74.48,
        premium_after: 92.3,
        amount_now: 12.89,
        days_left: 265,
        days_in_term: 365,
        plan: null,
      },
    })),
    'GET /api/v1/activities': () => ({ data: [] }),
    'GET /api/v1/policy/reasons/cancellation': () => ({
      data: [
        { id: 1, title: 'I found cheaper cover' },
        { id: 2, title: 'I sold the vehicle' },
      ],
    }),
  });
}

/** Removes the page, the mocks, the storage and the cached responses between two tests. */
export async function forgetAll(): Promise<void> {
  cleanup();
  // Calls in the background respond after their minimum time.
  await new Promise((resolve) => setTimeout(resolve, MINIMUM_FETCH_MS + 50));
  vi.unstubAllGlobals();
  clearSnackbar();
  localStorage.clear();
  setLoginHint();
  await mutate(() => true, undefined, { revalidate: false });
}
