import { screen, within } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import type { PolicyRead, PolicyTerm } from '../../../api/policies/policyTypes';
import { activity, forgetAll, hold, may, RENEWAL, read, term } from '../../../testing/policy';
import { autoRenewText } from '../renewal/AutoRenew';
import { openPolicy, region } from '../testing';

afterEach(forgetAll);

// The tests in tests/it/statements expect these figures from the server. The day of the tests,
// 21 November 2026, is in the term.
const YEAR = {
  inception: '2026-02-01',
  expiry: '2027-01-31',
  cover_begins: '2026-02-01T00:00:00Z',
  purchased: '2026-01-20T12:00:00Z',
};

const RENEWING: NonNullable<PolicyTerm['renewal']> = {
  quote_uuid: RENEWAL,
  reference: 'BRK100000014',
  status_id: 1,
  price: 74.64,
  price_last_year: 66.64,
  price_new_customer: 74.64,
  starts: '2027-02-01',
  holds_until: '2027-02-01',
  charge_on: '2027-01-31',
  plan: null,
};

interface PageState {
  policy: Partial<PolicyTerm>;
  total: number;
  per?: 'year' | 'trip';
  info?: Partial<PolicyRead['info']>;
}

async function open({ policy, total, per = 'year', info }: PageState) {
  const price = {
    amount_total: total,
    amount_net: total,
    amount_tax: 0,
    currency: 'GBP',
    per,
    basis: 'term' as const,
    lines: [],
  };
  hold(() => read(term({ ...YEAR, paid: total, ...policy }), { price, ...info }));
  openPolicy();
  await screen.findByRole('heading', { level: 1, name: 'Policy ID: BRK100000001' });
}

const regionText = async (name: string) => (await region(name)).textContent;

const renewing = () => screen.queryByRole('region', { name: 'Renewing by itself' });

describe('the page of a policy states', () => {
  test('its first term', async () => {
    await open({ total: 80.49, policy: { auto_renew: true } });
    expect(screen.getByText('Live')).toBeTruthy();
    expect(await regionText('Dates')).toBe(
      'DatesYour Cover Dates01/02/2026 to 31/01/2027Cover begins01/02/2026 00:00Bought20/01/2026 12:00',
    );
    expect(await regionText('Price')).toMatch(/Total for the year£80\.49Paid£80\.49$/);
    expect(await regionText('Your Policy')).toMatch(/Your Premium£80\.49\/year/);
    expect(renewing()?.textContent).toMatch(
      /We will charge the card that paid for it before your cover ends\./,
    );
  });

  test('a changed term: what it costs, and what was paid in all', async () => {
    await open({ total: 66.64, policy: { paid: 74.81 } });
    expect(await regionText('Price')).toMatch(/Total for the year£66\.64Paid£74\.81$/);
    expect(await regionText('Your Policy')).toMatch(/Your Premium£66\.64\/year/);
    expect(renewing()?.textContent).toMatch(
      /Your cover ends on Sunday 31 January 2027 unless you renew/,
    );
  });

  test('a term that is renewed: no card is charged for it any more', async () => {
    const renewal = { ...RENEWING, status_id: 5 as const, charge_on: null, holds_until: null };
    await open({ total: 66.64, policy: { auto_renew: true, renewed_by: RENEWAL, renewal } });
    expect(renewing()?.textContent).toContain(
      'It is renewed by BRK100000014, which covers you from Monday 1 February 2027. Nothing more is charged',
    );
    expect(renewing()?.textContent).not.toMatch(/will charge|unless/);
    expect(screen.queryByRole('switch')).toBeNull();
  });

  test('a term that is to end early, and one that has', async () => {
    const end = { effective_date: '2026-12-01', last_day: '2026-11-30' };
    const ending = activity({ ...end, status: 'pending', can_withdraw: true });
    await open({ total: 74.64, policy: { auto_renew: true, pending_cancellation: ending } });
    expect(await regionText('Dates')).toContain('Cover ends30/11/2026, at the end of the day');
    expect(renewing()?.textContent).toContain('Stopped');

    await forgetAll();
    const cancellation = activity({ ...end, effective_date: '2026-11-01', last_day: '2026-10-31' });
    const info = { status_id: 8 as const, status_title: 'Cancelled' };
    await open({ total: 74.64, policy: { paid: 34.84, cancellation }, info });
    expect(screen.getByText('Cancelled')).toBeTruthy();
    expect(await regionText('Dates')).toContain('Cover ended31/10/2026, at the end of the day');
    expect(await regionText('Price')).toMatch(/Paid£34\.84$/);
    expect(within(await region('Cancellation')).getByText('Saturday 31 October 2026')).toBeTruthy();
    expect(renewing()).toBeNull();
  });

  test('cover that is to end before it begins', async () => {
    const scheduled = activity({
      effective_date: '2026-12-01',
      status: 'pending',
      can_withdraw: true,
    });
    const policy = {
      inception: '2026-12-01',
      expiry: '2027-11-30',
      pending_cancellation: scheduled,
    };
    await open({ total: 74.64, policy });
    expect(await regionText('Dates')).toContain('CoverIs cancelled before it begins on 01/12/2026');
    expect(await regionText('Dates')).not.toContain('Cover ends');
  });

  test('cover that ended in the course of a day, with that day', async () => {
    const cancellation = activity({ effective_date: '2026-11-03' });
    const info = { status_id: 8 as const, status_title: 'Cancelled' };
    await open({ total: 60.17, per: 'trip', policy: { cancellation }, info });
    expect(await regionText('Dates')).toContain('Cover ended03/11/2026Cover begins');
  });

  test('a single trip: a price for the trip, and nothing of renewing', async () => {
    const policy = { inception: '2026-12-01', expiry: '2026-12-12', can: may({ change: true }) };
    await open({ total: 60.17, per: 'trip', policy });
    expect(await regionText('Dates')).toContain('01/12/2026 to 12/12/2026');
    expect(await regionText('Your Policy')).toMatch(/Your Premium£60\.17\/trip/);
    expect(await regionText('Price')).toMatch(/Total for the trip£60\.17Paid£60\.17$/);
    expect(renewing()).toBeNull();
  });

  test.each([
    ['later today', '2026-11-21T23:30:00Z', '2026-11-21', 'Starts today, 23:30'],
    ['on a later day', '2026-12-01T00:00:00Z', '2026-12-01', 'Starts 1 December 2026'],
  ])('cover that begins %s is no live one yet', async (_, cover_begins, inception, begins) => {
    await open({ total: 74.64, policy: { inception, expiry: '2027-11-30', cover_begins } });
    expect(screen.getByText(begins)).toBeTruthy();
    const badge = screen.getByText('Live').parentElement;
    expect(badge?.dataset.variant).toBe('outline');
    expect(badge?.outerHTML).not.toContain('green');
  });

  test('cover that has begun, in green', async () => {
    await open({ total: 74.64, policy: {} });
    expect(screen.queryByText(/^Starts/)).toBeNull();
    expect(screen.getByText('Live').parentElement?.outerHTML).toContain('green');
  });

  test('gadget cover, under its own name and from its own hour', async () => {
    const cover_begins = '2026-11-21T12:00:00Z';
    const policy = { inception: '2026-11-21', expiry: '2027-11-20', cover_begins, paid: 158.43 };
    const info = { product_identifier: 'gadget', product_title: 'Gadget cover' };
    await open({ total: 151.5, policy, info });
    expect(screen.getByText('Gadget cover')).toBeTruthy();
    expect(await regionText('Dates')).toContain(
      'Your Cover Dates21/11/2026 to 20/11/2027Cover begins21/11/2026 12:00',
    );
    expect(await regionText('Price')).toMatch(/Total for the year£151\.50Paid£158\.43$/);
  });
});

describe('what becomes of a policy that renews by itself is said', () => {
  const renderText = (renewal: Partial<typeof RENEWING> | null, policy: Partial<PolicyTerm>) =>
    autoRenewText(
      term({
        ...YEAR,
        auto_renew: true,
        renewal: renewal && { ...RENEWING, ...renewal },
        ...policy,
      }),
      true,
      'GBP',
    );

  test.each([
    [
      'before it is quoted',
      null,
      'by_itself',
      /^We will charge the card that paid for it before your cover ends\. We write to you with the price and the day/,
    ],
    [
      'with its price',
      {},
      'by_itself',
      /^We will charge £74\.64 to the card that paid for it on Sunday 31 January 2027/,
    ],
    [
      'without a price',
      { price: null, charge_on: null },
      'incomplete',
      /^Nothing will be charged: your renewal needs more answers first\. Your cover ends on Sunday 31 January/,
    ],
    [
      'after its card was refused',
      { charge_on: null },
      'card_refused',
      /has not paid for the renewal, and nothing was taken\. Your cover ends on Sunday 31 January/,
    ],
  ] as const)('%s', (_, renewal, next_year, text) => {
    expect(renderText(renewal, { next_year })).toMatch(text);
  });
});
