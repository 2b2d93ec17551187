import { screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { about } from '../../api/testing';
import type { Payment } from '../../api/types';
import { savedQuote, UUID } from '../../testing/data';
import { serve, show } from '../../testing/server';
import { FailureScreen } from './FailureScreen';
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
  custom_id: 'BRK100000001',
  message: 'Your bank said no.',
  charged: false,
  refund: 'none',
  policy: false,
};

test("a payment that failed names the quote's ID", async () => {
  serve({ 'GET /api/v1/payment/{id}': about(UUID, () => ({ data: FAILED })) });
  show({ '/payment/failure/:id': <FailureScreen uuid={UUID} /> }, `/payment/failure/${UUID}`);
  await screen.findByRole('heading', { name: 'Your payment did not go through' });
  expect(screen.getByText('BRK100000001').parentElement?.textContent).toBe(
    'Quote ID: BRK100000001',
  );
});

test('a refund that the bank did not take is not called one', async () => {
  const owed: Payment = {
    ...FAILED,
    status: 'refunded',
    charged: true,
    message: 'This payment was not needed. It is being refunded to the card it came from.',
    refund: 'refused',
  };
  serve({ 'GET /api/v1/payment/{id}': about(UUID, () => ({ data: owed })) });
  show({ '/payment/failure/:id': <FailureScreen uuid={UUID} /> }, `/payment/failure/${UUID}`);
  await screen.findByRole('heading', { name: 'Your refund has not reached you' });
  await screen.findByText(/we still owe it to you/);
  expect(screen.queryByText(/is being refunded/)).toBeNull();
});

test('terms, privacy and cookies are beside Back while paying, and leave the card form', async () => {
  const flags = { buyable: true, accepted: true, renewal_quote: false, policy: false };
  serve({
    'GET /api/v2/public/quote/read/{id}': about(UUID, () => ({
      data: savedQuote(UUID, 'BRK100000001', { flags }),
    })),
  });
  show({ '/payment/:id': <PayScreen uuid={UUID} /> }, `/payment/${UUID}`);
  const legal = await screen.findByRole('navigation', { name: 'Legal' });
  const back = screen.getByRole('link', { name: 'Back' });
  expect(back.parentElement).toBe(legal.parentElement);
  const links = within(legal).getAllByRole('link');
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Terms (opens in a new tab)', 'https://example.com/terms'],
    ['Privacy (opens in a new tab)', 'https://example.com/privacy'],
    ['Cookies (opens in a new tab)', 'https://example.com/cookies'],
  ]);
  expect(links.every((link) => link.getAttribute('target') === '_blank')).toBe(true);
});
