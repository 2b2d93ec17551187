import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test } from 'vitest';
import type { PolicyRenewal, PolicyTerm, Renewal } from '../../../api/policies/policyTypes';
import { forId, refuse, sent } from '../../../api/testing';
import { formatLongDate } from '../../../lib/dates/dates';
import { CoverHelp } from '../../../shared/help/CoverHelp';
import { autoRenewalText, RenewalComparison } from '../../../shared/renewal/RenewalComparison';
import { planOf, savedQuote, UUID } from '../../../testing/data';
import { plan } from '../../../testing/plan';
import {
  adjustment,
  COMPARISON,
  day,
  ending,
  forgetAll,
  hold,
  may,
  RENEWAL,
  read,
  term,
} from '../../../testing/policy';
import { serve, visit } from '../../../testing/server';
import { openCancelPanel, openPolicy, region } from '../testing';
import { autoRenewText } from './AutoRenew';

const LAST = formatLongDate(day(264));
const NEXT = formatLongDate(day(265));
const EARLY = formatLongDate(day(20));

const renewal = (change: Partial<PolicyRenewal> = {}): PolicyRenewal => ({
  quote_uuid: RENEWAL,
  reference: 'BRK100000014',
  status_id: 1,
  price: 65.52,
  price_last_year: 60,
  price_new_customer: 70,
  starts: day(265),
  holds_until: day(265),
  charge_on: null,
  plan: null,
  ...change,
});

type TermChanges = Partial<PolicyTerm>;

const renewedTerm = { renewal: renewal({ status_id: 5 }), renewed_by: RENEWAL };
const gap = `The days from ${formatLongDate(day(21))} to ${LAST} are not covered.`;
const keptText = `Your next year, policy BRK100000014, is bought and stays: it covers you from ${NEXT}.`;
const cancelText = `Your cover ends on ${EARLY}, because you asked to cancel it.`;

const STATES: [string, TermChanges, string][] = [
  [
    'renewed by hand, with the switch on',
    { ...renewedTerm, next_year: 'renewed', auto_renew: true },
    `It covers you until ${LAST}. It is renewed by BRK100000014, which covers you from ${NEXT}. Nothing more is charged for this one.`,
  ],
  [
    'renewed by hand, with the switch off',
    { ...renewedTerm, next_year: 'renewed' },
    `It covers you until ${LAST}. It is renewed by BRK100000014, which covers you from ${NEXT}. Nothing more is charged for this one.`,
  ],
  [
    'its renewal bought, then undone',
    { renewal: renewal({ status_id: 14 }), next_year: 'undone', auto_renew: true },
    `Nothing will be charged. Your cover ends on ${LAST}.`,
  ],
  [
    'its card being charged',
    { renewal: renewal(), next_year: 'charging', auto_renew: true },
    'We are charging the card that paid for it. We write to you when it has paid, or has not.',
  ],
  [
    'its card asked, and nobody knows whether it paid',
    { renewal: renewal(), next_year: 'card_unclear', auto_renew: true },
    'We could not find out whether the card that paid for it was charged for your next year. Please call us before you pay again.',
  ],
  [
    'its card refused',
    { renewal: renewal(), next_year: 'card_refused', auto_renew: true },
    `We couldn't renew your policy: the card that paid for it has not paid for the renewal, and nothing was taken. Your cover ends on ${LAST} unless you renew it with a card.`,
  ],
  [
    'its renewal declined',
    {
      renewal: renewal({ status_id: 31, price: null }),
      next_year: 'declined',
      auto_renew: true,
    },
    `Nothing will be charged. Your cover ends on ${LAST}.`,
  ],
  [
    'its renewal without answers',
    { renewal: renewal({ status_id: 2, price: null }), next_year: 'incomplete', auto_renew: true },
    `Nothing will be charged: your renewal needs more answers first. Your cover ends on ${LAST} unless you complete and buy it.`,
  ],
  [
    'its gateway switched off',
    { renewal: renewal(), next_year: 'no_card', auto_renew: true, card_stored: false },
    `Nothing will be charged. Your cover ends on ${LAST} unless you renew it.`,
  ],
  [
    'a single trip',
    { next_year: 'single_trip' },
    `Nothing will be charged. Your cover ends on ${LAST}.`,
  ],
  [
    'renewed, and to end early',
    { ...renewedTerm, next_year: 'renewed', auto_renew: true, pending_cancellation: ending() },
    `${cancelText} ${keptText} ${gap}`,
  ],
  [
    'to end early, with the switch on',
    { next_year: 'by_itself', auto_renew: true, pending_cancellation: ending() },
    `${cancelText} Nothing is renewed or charged. If you keep your cover, it renews by itself again.`,
  ],
  [
    'to end early, its renewal undone',
    { next_year: 'undone', auto_renew: true, pending_cancellation: ending() },
    `${cancelText} Nothing is renewed or charged.`,
  ],
  [
    'renewing by itself',
    { renewal: renewal({ charge_on: day(264) }), auto_renew: true },
    `We will charge £65.52 to the card that paid for it on ${LAST}, and your cover goes on without a gap.`,
  ],
  [
    'renewing by hand',
    { renewal: renewal() },
    `Nothing will be charged. Your cover ends on ${LAST} unless you renew it.`,
  ],
];

afterEach(forgetAll);

test.each(STATES)('the switch of a policy %s says what happens', (_, state, text) => {
  const policy = term(state);
  expect(autoRenewText(policy, policy.auto_renew)).toBe(text);
});

const endNote = `unless you renew it, your cover ends on ${formatLongDate(day(19))} and nothing is charged.`;
const COMPARED: [Renewal['next_year'], string][] = [
  ['by_hand', `It doesn't renew by itself: ${endNote}`],
  ['no_card', `It doesn't renew by itself: ${endNote}`],
  ['incomplete', `It can't renew by itself as it stands: ${endNote}`],
  [
    'charging',
    'We are charging the card that paid for it. We write to you when it has paid, or has not.',
  ],
  [
    'card_unclear',
    'We could not find out whether the card that paid for it was charged for your next year. Please call us before you pay again.',
  ],
  [
    'card_refused',
    `The card that paid for it has not paid for the renewal, and nothing was taken: ${endNote}`,
  ],
  ['ended', 'Nothing is charged unless you renew it.'],
];

test.each(COMPARED)('beside the prices, %s is said as it is', (next_year, text) => {
  expect(autoRenewalText({ ...COMPARISON, auto_renew: true, next_year })).toBe(text);
});

const compare = (change: Partial<Renewal>) => {
  hold(() => read(term()), {
    'GET /api/v1/renewal/{id}': forId(RENEWAL, () => ({ data: { ...COMPARISON, ...change } })),
  });
  visit({ '/': <RenewalComparison quote={RENEWAL} /> }, '/');
};

describe('a renewal', () => {
  test('on the day after says that cover has ended, and begins when it is paid', async () => {
    compare({ next_year: 'ended' });
    const ended = formatLongDate(day(19));
    await screen.findByText(
      `Your cover ended on ${ended}. You can still renew it on ${formatLongDate(day(20))}: your next year begins when you pay, and what happens before that is not covered.`,
    );
    expect(screen.getByText(`Your cover that ended on ${ended}`)).toBeTruthy();
    expect(screen.queryByText(/without a gap/)).toBeNull();
  });

  test('says that a change to come is counted in', async () => {
    compare({ change_from: day(10) });
    await screen.findByText(
      `The change that you agreed for ${formatLongDate(day(10))} is counted in, in the prices of your current cover and of your next year.`,
    );
  });
});

describe('the page of a policy', () => {
  test('whose renewal is declined says why', async () => {
    const reason = "We can't renew this cover as it is. Your vehicle is over 15 years old.";
    const can = may({ cancel: true });
    hold(() => read(term({ next_year: 'declined', can, why_not: { renew: reason } })));
    openPolicy();
    expect(within(await region('Manage your policy')).getByText(reason)).toBeTruthy();
  });

  test('that is renewed and to end early names the days between, and what keeping it means', async () => {
    hold(() =>
      read(term({ ...renewedTerm, next_year: 'renewed', pending_cancellation: ending() })),
    );
    openPolicy();
    const card = await region(`Your cover ends on ${EARLY}`);
    expect(card.textContent).toContain(`${keptText} ${gap}`);
    expect(card.textContent).not.toContain("doesn't renew");
    expect(within(await region('Renewing by itself')).getByText('Renewed')).toBeTruthy();
  });

  test('says in the cancel panel that the next year stays', async () => {
    hold(() => read(term({ ...renewedTerm, next_year: 'renewed' })));
    await openCancelPanel();
    expect(screen.getByText(new RegExp(`^${keptText}`))).toBeTruthy();
  });

  test('says that nothing comes back, not that £0.00 does', async () => {
    const refund = { amount: 0, lines: [], status: 'none' as const };
    const pending = ending({ refund });
    hold(() => read(term({ pending_cancellation: pending, scheduled_change: adjustment() })), {
      'GET /api/v1/activities': () => ({ data: [pending] }),
    });
    openPolicy();
    const card = await region(`Your cover ends on ${EARLY}`);
    expect(within(card).getByText('Nothing comes back.')).toBeTruthy();
    expect(within(await region('History')).getByText(/^Nothing comes back then\./)).toBeTruthy();
    expect(screen.queryByText(/£0\.00/)).toBeNull();
  });
});

describe('the way of paying the renewal of a monthly policy', () => {
  const AUTO_RENEW = 'PUT /api/v1/policy/{id}/auto-renew';
  const MONTHLY = 'Your renewal is paid monthly.';
  const ONE_PAYMENT = 'Your renewal is paid in one payment.';
  const TO_MONTHLY = { name: 'Change to monthly payments' };
  const TO_ONE_PAYMENT = { name: 'Change to one payment' };
  const FIRST_CHARGE = `We will charge the first monthly payment of £5.46 to the card that paid for it on ${LAST}, and your cover goes on without a gap.`;
  const CHARGE = `We will charge £65.52 to the card that paid for it on ${LAST}, and your cover goes on without a gap.`;

  const quoted = (isMonthly: boolean) =>
    renewal({ charge_on: day(264), plan: isMonthly ? planOf(65.52, day(264)) : null });

  const monthlyTerm = (isMonthly: boolean, change: TermChanges = {}) =>
    term({
      plan: plan(),
      auto_renew: true,
      renews_monthly: isMonthly,
      renewal: quoted(isMonthly),
      ...change,
    });

  /** Opens a policy whose server stores the way of paying. */
  const openStored = (isMonthly: boolean, change: TermChanges = {}) => {
    let stored = isMonthly;
    const calls = hold(() => read(monthlyTerm(stored, change)), {
      [AUTO_RENEW]: forId(UUID, ({ body }) => {
        stored = body.payment_frequency === 'monthly';
        return { data: { auto_renew: body.auto_renew } };
      }),
    });
    openPolicy();
    return calls;
  };

  const card = async () => within(await region('Renewing by itself'));
  const change = () => screen.queryByRole('button', { name: /^Change to (one|monthly) payment/ });

  test.each([
    ['monthly to one payment', true, MONTHLY, FIRST_CHARGE, TO_ONE_PAYMENT],
    ['one payment to monthly', false, ONE_PAYMENT, CHARGE, TO_MONTHLY],
  ] as const)('changes from %s in one press', async (_, isMonthly, before, charge, button) => {
    const calls = openStored(isMonthly);
    const panel = await card();
    expect(panel.getByText(before)).toBeTruthy();
    expect(panel.getByText(charge)).toBeTruthy();
    await userEvent.click(panel.getByRole('button', button));
    await panel.findByText(isMonthly ? ONE_PAYMENT : MONTHLY);
    expect(panel.getByText(isMonthly ? CHARGE : FIRST_CHARGE)).toBeTruthy();
    const back = panel.getByRole('button', isMonthly ? TO_MONTHLY : TO_ONE_PAYMENT);
    expect(document.activeElement).toBe(back);
    expect(sent(calls, AUTO_RENEW).map(({ body }) => body)).toEqual([
      { auto_renew: true, payment_frequency: isMonthly ? 'annual' : 'monthly' },
    ]);
    expect(sent(calls, 'GET /api/v2/policy/read/{id}')).toHaveLength(2);
  });

  test('changes before the renewal has a price', async () => {
    openStored(true, { renewal: null });
    const panel = await card();
    await userEvent.click(panel.getByRole('button', TO_ONE_PAYMENT));
    await panel.findByText(ONE_PAYMENT);
    expect(panel.getByText(/^We will charge the card that paid for it before/)).toBeTruthy();
  });

  test('sends one call for two presses, and no call of the switch meanwhile', async () => {
    const calls = openStored(true);
    const panel = await card();
    await userEvent.dblClick(panel.getByRole('button', TO_ONE_PAYMENT));
    await userEvent.click(panel.getByRole('switch'));
    await panel.findByText(ONE_PAYMENT);
    expect(sent(calls, AUTO_RENEW)).toHaveLength(1);
    expect((panel.getByRole('switch') as HTMLInputElement).checked).toBe(true);
  });

  test('stays as it was if the server refuses', async () => {
    const reason = "This can't be changed any more.";
    hold(() => read(monthlyTerm(true)), { [AUTO_RENEW]: () => refuse(409, reason) });
    openPolicy();
    const panel = await card();
    const button = panel.getByRole('button', TO_ONE_PAYMENT);
    await userEvent.click(button);
    await panel.findByText(`Nothing has changed. ${reason}`);
    expect(panel.getByText(MONTHLY)).toBeTruthy();
    await waitFor(() => expect(button.getAttribute('aria-disabled')).toBeNull());
  });

  test('is one payment, without a choice, if the price has no plan', async () => {
    hold(() => read(monthlyTerm(true, { renewal: quoted(false) })));
    openPolicy();
    const panel = await card();
    panel.getByText("Your renewal can't be paid monthly. It is paid in one payment.");
    expect(panel.getByText(CHARGE)).toBeTruthy();
    expect(change()).toBeNull();
  });

  test.each<[string, TermChanges]>([
    ['without a plan', { plan: null }],
    ['with the switch off', { auto_renew: false }],
    ['without the permission to switch', { can: may({ change: true }) }],
    ['with a scheduled cancellation', { pending_cancellation: ending() }],
    ['while the renewal needs answers', { next_year: 'incomplete' }],
  ])('is not offered %s', async (_, state) => {
    hold(() => read(monthlyTerm(true, state)));
    openPolicy();
    const panel = await card();
    expect(change()).toBeNull();
    expect(panel.queryByText(MONTHLY)).toBeNull();
  });
});

describe('who to call', () => {
  test('names the days that no policy covers', async () => {
    const policy = term({ pending_cancellation: ending() });
    serve({
      'GET /api/v2/policy/read/{id}': forId(UUID, () => ({
        data: { ...savedQuote(UUID, 'BRK100000001', { status_id: 5 }), policy },
      })),
    });
    const help = { product: 'breakdown', begins: `${day(265)}T00:00:00Z`, reference: 'X1' };
    visit({ '/': <CoverHelp {...help} follows={UUID} /> }, '/');
    await screen.findByText(
      `You stay covered by BRK100000001 until ${EARLY}. ${gap} From ${NEXT} on:`,
    );
  });

  test('of trips says that only their days are covered', async () => {
    serve({});
    const help = { product: 'breakdown', begins: `${day(-3)}T00:00:00Z`, reference: 'X1' };
    visit({ '/': <CoverHelp {...help} trips /> }, '/');
    await screen.findByText('Only the days of the trips that you named are covered.');
  });
});
