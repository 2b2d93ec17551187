import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import type { PolicyPlan } from '../../api/policies/policyTypes';
import { forId, refuse, type Server, sent } from '../../api/testing';
import type { Payment as Attempt } from '../../api/types';
import { formatDate } from '../../lib/dates/dates';
import { UUID } from '../../testing/data';
import { plan, storedCard, unpaidPlan } from '../../testing/plan';
import { day, forgetAll, hold, read, term } from '../../testing/policy';
import { visit } from '../../testing/server';
import Payment from './Payment';
import PaymentFailure from './PaymentFailure';
import PaymentProcessing from './PaymentProcessing';
import PaymentSuccess from './PaymentSuccess';

const ROUTES = {
  '/payment/:id': <Payment />,
  '/payment/processing/:id': <PaymentProcessing />,
  '/payment/success/:id': <PaymentSuccess />,
  '/payment/failure/:id': <PaymentFailure />,
  '/policy/view/:id': <p>Policy page</p>,
};

const PAY = 'POST /api/v1/policy/{id}/pay';
const PAYMENT = '0197f3c2-0000-7000-8000-000000000051';

const attempt = (change: Partial<Attempt> = {}): Attempt => ({
  payment_id: PAYMENT,
  status: 'pending',
  amount: 5,
  quote_uuid: UUID,
  policy_uuid: UUID,
  adjustment_uuid: null,
  pays_plan: true,
  custom_id: 'BRK100000001',
  message: null,
  charged: null,
  unresolved: null,
  reversed: false,
  refund: 'none',
  refund_reason: null,
  policy: true,
  ...change,
});

function open(path: string, own: PolicyPlan | null, payment = () => attempt(), more: Server = {}) {
  const calls = hold(() => read(term({ plan: own })), {
    [PAY]: forId(UUID, () => ({
      data: {
        payment_id: PAYMENT,
        kind: 'iframe',
        url: 'about:blank',
        method: 'GET',
        fields: {},
        resumed: false,
        earlier_processing: false,
      },
    })),
    'GET /api/v1/payment/{id}': forId(PAYMENT, () => ({ data: payment() })),
    'GET /api/v1/profile/cards': () => ({ data: [storedCard()] }),
    ...more,
  });
  visit(ROUTES, path);
  return calls;
}

afterEach(async () => {
  cleanup();
  // Within half a second `usePaymentStatus` does not read the same payment twice.
  await new Promise((resolve) => setTimeout(resolve, 500));
  await forgetAll();
});

test('what is due is paid: which payments, how much, and with no consent', async () => {
  const calls = open(`/payment/${UUID}?plan=due`, unpaidPlan());
  await screen.findByRole('heading', { name: 'Pay for your policy' });
  screen.getByText(`Monthly payment of ${formatDate(day(-10))}`);
  expect(screen.queryByText(`Monthly payment of ${formatDate(day(20))}`)).toBeNull();
  await screen.findByTitle('Card payment');
  const [call] = sent(calls, PAY);
  expect(call?.body).toEqual({ provider: 'sandbox', rest: false, keep_card: false });
  expect(call?.headers.get('Idempotency-Key')).toBeTruthy();
  expect(screen.queryByText(/We charge each later payment/)).toBeNull();
  expect(screen.getByRole('link', { name: 'Back' }).getAttribute('href')).toBe(
    `/policy/view/${UUID}#payments`,
  );
});

test('if nothing is due, another card pays the next payment', async () => {
  const calls = open(`/payment/${UUID}?plan=due&keep=1`, plan());
  await screen.findByText(`Monthly payment of ${formatDate(day(20))}`);
  expect(screen.queryByText(`Monthly payment of ${formatDate(day(50))}`)).toBeNull();
  screen.getByText(/We charge each later payment/);
  screen.getByText(/^Later, this card pays 1 payment of £5.00 on /);
  await screen.findByTitle('Card payment');
  const [call] = sent(calls, PAY);
  expect(call?.body).toEqual({ provider: 'sandbox', rest: false, keep_card: true });
});

test('another card is kept after its consent was shown', async () => {
  const calls = open(`/payment/${UUID}?plan=due&keep=1`, unpaidPlan());
  await screen.findByText(/^We charge each later payment to the card you pay with now/);
  await screen.findByTitle('Card payment');
  expect(sent(calls, PAY)[0]?.body).toEqual({
    provider: 'sandbox',
    rest: false,
    keep_card: true,
  });
});

test('the rest is paid, and its page says what follows', async () => {
  let status: Attempt['status'] = 'pending';
  const calls = open(`/payment/${UUID}?plan=rest`, plan(), () => attempt({ status, amount: 10 }));
  await screen.findByTitle('Card payment');
  screen.getByText('£10.00');
  expect(sent(calls, PAY)[0]?.body).toMatchObject({ rest: true });
  status = 'paid';
  await screen.findByRole('heading', { name: 'Thank you. Your payment has arrived' });
  expect(screen.getByText(/You paid £10.00 for policy/)).toBeTruthy();
  await screen.findByText(/£5.00 is due on .* We charge it to Visa ending 4242\./);
  expect(document.body.textContent).not.toMatch(/policy is set up|cover begins/i);
  expect(window.location.pathname + window.location.search).toBe(
    `/payment/success/${PAYMENT}?plan=1`,
  );
});

test('while the card is charged, the message of the shop is shown', async () => {
  const message =
    'A charge of your card has no outcome yet. Most take a few minutes, some a day. Please wait.';
  open(`/payment/${UUID}?plan=rest`, plan(), undefined, {
    [PAY]: () => refuse(409, message, { code: 'charge_open' }),
  });
  await screen.findByText(message);
  screen.getByRole('button', { name: 'Try again' });
});

test('of a charge whose outcome nobody knows, the customer is asked to call', async () => {
  const calls = open(`/payment/${UUID}?plan=rest`, plan({ is_charging: true, is_unclear: true }));
  await screen.findByRole('heading', { name: 'Please call us' });
  screen.getByText(/^We could not find out whether your card was charged/);
  expect(sent(calls, PAY)).toHaveLength(0);
});

test.each([
  [plan({ left: 0 }), 'You have paid all that is due at the moment.', 'due'],
  [plan({ status: 'ended' }), 'No monthly payment of this policy is due.', 'rest'],
  [null, 'No monthly payment of this policy is due.', 'due'],
] as const)('nothing that is not due is paid (%#)', async (own, text, choice) => {
  const calls = open(`/payment/${UUID}?plan=${choice}`, own);
  await screen.findByRole('heading', { name: 'Nothing is due' });
  screen.getByText(text);
  expect(sent(calls, PAY)).toHaveLength(0);
});

test('back from the gateway, a paid attempt leads to its own result', async () => {
  open(`/payment/processing/${PAYMENT}`, plan(), () => attempt({ status: 'paid', charged: true }));
  await screen.findByRole('heading', { name: 'Thank you. Your payment has arrived' });
});

test('a failed payment names no quote and leads back to the payments', async () => {
  open(`/payment/processing/${PAYMENT}`, unpaidPlan(), () =>
    attempt({ status: 'failed', charged: false, message: 'Your bank said no.' }),
  );
  await screen.findByRole('heading', { name: 'Your payment did not go through' });
  screen.getByText('No charge was made to your card.');
  expect(screen.getByRole('link', { name: 'Try again' }).getAttribute('href')).toBe(
    `/policy/view/${UUID}#payments`,
  );
  expect(document.body.textContent).not.toMatch(/quote|cover is set up/i);
});

test('an unknown outcome is said to be unknown', async () => {
  open(`/payment/failure/${PAYMENT}`, unpaidPlan(), () =>
    attempt({ status: 'failed', unresolved: 'no_answer' }),
  );
  await screen.findByRole('heading', { name: "We don't know yet how your payment ended" });
  screen.getByText(/it counts, or the money goes back to your card/);
  screen.getByRole('link', { name: 'Back to your policy' });
});

test('a payment that was not due any more goes back', async () => {
  open(`/payment/failure/${PAYMENT}`, plan(), () =>
    attempt({ status: 'refunded', charged: true, refund: 'pending', refund_reason: 'not_needed' }),
  );
  await screen.findByText(/^What you wanted to pay was no longer due\. Your payment is on its way/);
  expect(document.body.textContent).not.toContain('cover was already paid');
});

test('whoever left the gateway can pay again from the policy', async () => {
  open(`/payment/${PAYMENT}?gateway=sandbox&left`, unpaidPlan());
  await screen.findByRole('heading', { name: 'You left the payment' });
  await userEvent.click(screen.getByRole('link', { name: 'Back to your payments' }));
  await screen.findByText('Policy page');
});
