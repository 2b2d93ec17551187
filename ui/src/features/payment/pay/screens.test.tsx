import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { forId, refuse } from '../../../api/testing';
import type { Payment } from '../../../api/types';
import { savedQuote, UUID } from '../../../testing/data';
import { serve, show } from '../../../testing/server';
import { FailureScreen } from '../result/FailureScreen';
import { PayScreen } from './PayScreen';

afterEach(() => {
  vi.unstubAllGlobals();
});

const FAILED: Payment = {
  payment_id: '0197f3c2-0000-7000-8000-000000000031',
  status: 'failed',
  amount: 48.16,
  quote_uuid: UUID,
  policy_uuid: null,
  adjustment_uuid: null,
  pays_plan: false,
  custom_id: 'BRK100000001',
  message: 'Your bank said no.',
  charged: false,
  unresolved: null,
  reversed: false,
  refund: 'none',
  refund_reason: null,
  policy: false,
};

test("a payment that failed names the quote's ID", async () => {
  serve({ 'GET /api/v1/payment/{id}': forId(UUID, () => ({ data: FAILED })) });
  show({ '/payment/failure/:id': <FailureScreen uuid={UUID} /> }, `/payment/failure/${UUID}`);
  await screen.findByRole('heading', { name: 'Your payment did not go through' });
  expect(screen.getByText('BRK100000001').parentElement?.textContent).toBe(
    'Quote ID: BRK100000001',
  );
});

test.each([
  [FAILED, true],
  [{ ...FAILED, adjustment_uuid: UUID, policy_uuid: UUID, policy: true } as const, true],
  [{ ...FAILED, status: 'refunded', charged: true, refund: 'paid' } as const, false],
])(
  'a payment that failed says what helps, and one that came back does not',
  async (data, helps) => {
    serve({ 'GET /api/v1/payment/{id}': forId(UUID, () => ({ data })) });
    show({ '/payment/failure/:id': <FailureScreen uuid={UUID} /> }, `/payment/failure/${UUID}`);
    await screen.findByRole('heading', { level: 1 });
    const help = screen.queryByText(/with the same card or another one.*only your bank can tell/);
    expect(help !== null).toBe(helps);
  },
);

test('a card that was charged in another currency is said to be so, and nothing else', async () => {
  const other: Payment = { ...FAILED, charged: true, unresolved: 'other_currency' };
  serve({ 'GET /api/v1/payment/{id}': forId(UUID, () => ({ data: other })) });
  show({ '/payment/failure/:id': <FailureScreen uuid={UUID} /> }, `/payment/failure/${UUID}`);
  await screen.findByRole('heading', { name: 'Your card was charged in another currency' });
  screen.getByText(/We will contact you to give it back/);
  screen.getByText('Please call us before you pay a second time.');
  const page = document.body.textContent;
  expect(page).not.toMatch(/We don't know yet|We go on asking|No charge|did not go through/);
  expect(screen.queryByRole('link', { name: 'Try again' })).toBeNull();
});

test.each([
  ['reversed', "Your card's bank took this payment back, so your cover is not paid."],
  [null, "Your card's bank took this payment back. You owe us nothing more for it."],
] as const)('a payment that was taken back leaves its policy (%s)', async (unresolved, message) => {
  const reversed: Payment = {
    ...FAILED,
    status: 'refunded',
    charged: true,
    refund: 'paid',
    unresolved,
    reversed: true,
    adjustment_uuid: UUID,
    message,
  };
  serve({ 'GET /api/v1/payment/{id}': forId(UUID, () => ({ data: reversed })) });
  show({ '/payment/failure/:id': <FailureScreen uuid={UUID} /> }, `/payment/failure/${UUID}`);
  await screen.findByRole('heading', { name: 'Your payment was taken back' });
  screen.getByText(message);
  screen.getByRole('link', { name: 'View your policy' });
  expect(document.body.textContent).not.toMatch(/refunded|not made|No charge/);
});

test('a payment that nobody asks about any more is not said to be asked about', async () => {
  const silent: Payment = { ...FAILED, charged: null, unresolved: 'no_answer' };
  serve({ 'GET /api/v1/payment/{id}': forId(UUID, () => ({ data: silent })) });
  show({ '/payment/failure/:id': <FailureScreen uuid={UUID} /> }, `/payment/failure/${UUID}`);
  await screen.findByText(/We could not find out by ourselves\. Please call us/);
  expect(document.body.textContent).not.toContain('We go on asking');
});

test('a refund that could not be made is not called one', async () => {
  const owed: Payment = {
    ...FAILED,
    status: 'refunded',
    charged: true,
    message: 'This payment was not needed. It is being refunded to the card it came from.',
    refund: 'refused',
  };
  serve({ 'GET /api/v1/payment/{id}': forId(UUID, () => ({ data: owed })) });
  show({ '/payment/failure/:id': <FailureScreen uuid={UUID} /> }, `/payment/failure/${UUID}`);
  await screen.findByRole('heading', { name: 'Your refund has not reached you' });
  await screen.findByText(/we still owe it to you/);
  expect(screen.queryByText(/is being refunded/)).toBeNull();
});

test('a refund whose answer was lost is neither called made nor refused', async () => {
  const unclear: Payment = { ...FAILED, status: 'refunded', charged: true, refund: 'unconfirmed' };
  serve({ 'GET /api/v1/payment/{id}': forId(UUID, () => ({ data: unclear })) });
  show({ '/payment/failure/:id': <FailureScreen uuid={UUID} /> }, `/payment/failure/${UUID}`);
  await screen.findByRole('heading', { name: 'Your refund is not confirmed' });
  await screen.findByText(/could not confirm it yet/);
  expect(document.body.textContent).not.toMatch(/could not be made|was paid back|still owe/);
});

test('a payment that came too late is said to be so, and cannot be tried again', async () => {
  const latePayment: Payment = {
    ...FAILED,
    status: 'refunded',
    charged: true,
    message: null,
    refund: 'pending',
    refund_reason: 'too_late',
  };
  serve({ 'GET /api/v1/payment/{id}': forId(UUID, () => ({ data: latePayment })) });
  show({ '/payment/failure/:id': <FailureScreen uuid={UUID} /> }, `/payment/failure/${UUID}`);
  await screen.findByRole('heading', { name: 'Your payment is being refunded' });
  await screen.findByText(/^Your payment reached us too late to start your cover\. Your payment/);
  expect(screen.queryByRole('link', { name: 'Try again' })).toBeNull();
  expect(screen.getByRole('link', { name: 'Back to your quote' })).toBeTruthy();
});

test('terms, privacy and cookies are beside Back while paying, and leave the card form', async () => {
  const flags = { buyable: true, accepted: true, renewal_quote: false, policy: false };
  serve({
    'GET /api/v2/public/quote/read/{id}': forId(UUID, () => ({
      data: savedQuote(UUID, 'BRK100000001', { flags }),
    })),
  });
  show({ '/payment/:id': <PayScreen uuid={UUID} /> }, `/payment/${UUID}`);
  const legal = await screen.findByRole('navigation', { name: 'Legal' });
  const backLink = screen.getByRole('link', { name: 'Back' });
  expect(backLink.parentElement).toBe(legal.parentElement);
  const links = within(legal).getAllByRole('link');
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Terms (opens in a new tab)', 'https://example.com/terms'],
    ['Privacy (opens in a new tab)', 'https://example.com/privacy'],
    ['Cookies (opens in a new tab)', 'https://example.com/cookies'],
  ]);
  expect(links.every((link) => link.getAttribute('target') === '_blank')).toBe(true);
});

test('Back, also after a failure, opens the last step of the quote', async () => {
  const flags = { buyable: true, accepted: true, renewal_quote: false, policy: false };
  const last = `/quote/edit/${UUID}?step=last`;
  const unclear: Payment = { ...FAILED, charged: null };
  let quote = savedQuote(UUID, 'BRK100000001', { flags });
  let payment = FAILED;
  serve({
    'GET /api/v2/public/quote/read/{id}': forId(UUID, () => ({ data: quote })),
    'GET /api/v1/payment/{id}': forId(UUID, () => ({ data: payment })),
  });
  const linkOf = async (name: string) => {
    const link = await screen.findByRole('link', { name });
    return link.getAttribute('href');
  };
  const pay = { '/payment/:id': <PayScreen uuid={UUID} /> };
  const failed = { '/payment/failure/:id': <FailureScreen uuid={UUID} /> };
  show(pay, `/payment/${UUID}`);
  expect(await linkOf('Back')).toBe(last);
  cleanup();
  quote = savedQuote(UUID, 'BRK100000001', { flags: { ...flags, accepted: false } });
  show(pay, `/payment/${UUID}`);
  expect(await linkOf('Back to your quote')).toBe(last);
  cleanup();
  show(failed, `/payment/failure/${UUID}`);
  expect(await linkOf('Back to your quote')).toBe(last);
  cleanup();
  payment = unclear;
  show(failed, `/payment/failure/${UUID}`);
  expect(await linkOf('Back to your quote')).toBe(last);
});

test('a quote that is bought while its payment page is open leads to the thanks', async () => {
  const flags = { buyable: true, accepted: true, renewal_quote: false, policy: false };
  let bought = false;
  serve({
    'GET /api/v2/public/quote/read/{id}': forId(UUID, () => ({
      data: savedQuote(UUID, 'BRK100000001', { flags: { ...flags, policy: bought } }),
    })),
    'POST /api/v1/gateway/{provider}/initiate': () => {
      bought = true;
      return refuse(409, 'This quote has been bought already.');
    },
  });
  const routes = {
    '/payment/:id': <PayScreen uuid={UUID} />,
    '/payment/success/:id': <h1>Thank you</h1>,
    '/policy/view/:id': <h1>The policy</h1>,
  };
  show(routes, `/payment/${UUID}`);
  await screen.findByRole('heading', { name: 'Thank you' });
  cleanup();
  show(routes, `/payment/${UUID}`);
  await screen.findByRole('heading', { name: 'The policy' });
});
