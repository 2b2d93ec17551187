import { screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { forId, refuse, sent } from '../../../api/testing';
import { planOf, savedQuote, siteWith, UUID } from '../../../testing/data';
import { forgetAll, hold, read, term } from '../../../testing/policy';
import { serve, show, visit } from '../../../testing/server';
import { SuccessScreen } from '../result/SuccessScreen';
import { PayScreen } from './PayScreen';

const INITIATE = 'POST /api/v1/gateway/{provider}/initiate';
const PLAN = planOf(48.16, '2026-11-23');
const CARD = '0197f3c2-0000-7000-8000-000000000041';
const THEN = '11 payments of £4.01 on the 23rd of each month until 23 October 2027';
const flags = { buyable: true, accepted: true, renewal_quote: false, policy: false };

/** Shows the payment page of a quote that was accepted monthly. */
function pay(card_providers: string[], plan: typeof PLAN | null = PLAN) {
  const providers = ['globalpayments', ...card_providers];
  const quote = { ...savedQuote(UUID, 'BRK100000001', { flags }), plan };
  const calls = serve({
    'GET /api/v1/site': () => ({ data: siteWith({ providers, card_providers }) }),
    'GET /api/v2/public/quote/read/{id}': forId(UUID, () => ({
      data: { ...quote, payment_frequency: 'monthly' },
    })),
    [INITIATE]: () => refuse(503, 'The gateway does not answer.'),
  });
  show({ '/payment/:id': <PayScreen uuid={UUID} /> }, `/payment/${UUID}`);
  return calls;
}

afterEach(async () => {
  await forgetAll();
  window.history.replaceState(null, '', '/');
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('the payment page names the first payment and the plan', async () => {
  pay(['sandbox', 'stripe']);
  const row = (await screen.findByText('To pay now')).parentElement as HTMLElement;
  within(row).getByText('£4.05');
  screen.getByText(
    `£4.05 today, then ${THEN}. £48.16 in all, the same as paying at once. No interest, no charge.`,
  );
  screen.getByText(PLAN.consent);
});

test('only gateways that keep cards are offered', async () => {
  pay(['sandbox', 'stripe']);
  await screen.findByRole('radio', { name: 'Stripe' });
  screen.getByRole('radio', { name: 'Test gateway' });
  expect(screen.queryByRole('radio', { name: 'Global Payments' })).toBeNull();
});

test('the only gateway that keeps cards gets a document that permits its frame', async () => {
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {});
  const calls = pay(['stripe']);
  await vi.waitFor(() => expect(reload).toHaveBeenCalled());
  expect(new URLSearchParams(window.location.search).get('gateway')).toBe('stripe');
  expect(sent(calls, INITIATE)).toHaveLength(0);
});

test('a plan that is no longer offered leads back to the choice', async () => {
  pay(['sandbox'], null);
  await screen.findByRole('heading', { name: 'Please check your answers first' });
});

test.each([
  ['mine', CARD, `You paid £4.05. We charge your card ${THEN}.`],
  ['unclaimed', CARD, `You paid £4.05. We charge your card ${THEN}.`],
  ['unclaimed', null, `You paid £4.05. You pay the rest in ${THEN}.`],
] as const)(
  'the thanks name the payments that follow (%s, card %s)',
  async (account, card_id, text) => {
    const payments = PLAN.payments.map((each, index) => ({
      ...each,
      paid_on: index === 0 ? each.due : null,
      state: index === 0 ? ('paid' as const) : ('upcoming' as const),
    }));
    const plan = {
      payments,
      ...{ status: 'active' as const, total: 48.16, due: 0, left: 44.11 },
      ...{ next_day: '2026-12-23', last_day: null },
      ...{ is_charging: false, is_unclear: false, card_id, next_try: null, consent: PLAN.consent },
    };
    const own = read(term({ paid: 4.05, plan }));
    hold(() => ({ ...own, info: { ...own.info, account } }));
    visit({ '/payment/success/:id': <SuccessScreen uuid={UUID} /> }, `/payment/success/${UUID}`);
    await screen.findByText(text);
  },
);
