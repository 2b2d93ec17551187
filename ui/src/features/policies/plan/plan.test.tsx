import { screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { UUID } from '../../../testing/data';
import { plan, storedCard, unpaidPlan } from '../../../testing/plan';
import { activity, day, forgetAll, hold, read, term } from '../../../testing/policy';
import { openCancelPanel, openPolicy, region } from '../testing';

const CARDS = 'GET /api/v1/profile/cards';

afterEach(forgetAll);

test('a policy that is paid monthly has its payments, for the links of letters too', async () => {
  hold(() => read(term({ plan: plan() })), {
    [CARDS]: () => ({ data: [storedCard({ brand: null })] }),
  });
  openPolicy();
  const panel = await region('Monthly payments');
  expect(panel.closest('#payments')).toBeTruthy();
  await within(panel).findByText(/We charge it to the card ending 4242/);
});

test('a policy that is paid at once has none', async () => {
  hold(() => read());
  openPolicy();
  await region('Price');
  expect(screen.queryByRole('region', { name: 'Monthly payments' })).toBeNull();
});

test('a failed payment comes before everything else of the policy', async () => {
  hold(() => read(term({ plan: unpaidPlan() })), { [CARDS]: () => ({ data: [] }) });
  openPolicy();
  const panel = await region('Monthly payments');
  expect(within(panel).getByRole('alert').textContent).toContain('A monthly payment is unpaid');
  const documents = await region('Documents');
  expect(panel.compareDocumentPosition(documents)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  const pay = within(panel).getByRole('link', { name: 'Pay £5.00 now' });
  expect(pay.getAttribute('href')).toBe(`/payment/${UUID}?plan=due`);
});

test('a cancellation says what comes back and which payments stop', async () => {
  const stopped_payments = { count: 2, total: 10, last_day: day(50) };
  hold(() => read(term({ plan: plan() })), {
    [CARDS]: () => ({ data: [] }),
    'POST /api/v1/activity/create': () => ({
      data: activity({ id: null, status: 'preview', stopped_payments }),
    }),
  });
  await openCancelPanel();
  const panel = within(await region('Cancel your cover'));
  await panel.findByText('2 monthly payments of £10.00 in all stop.');
});

test('before a scheduled end nobody pays for the time after it', async () => {
  const stopped_payments = { count: 2, total: 10, last_day: day(50) };
  const pending = activity({
    status: 'pending',
    effective_date: day(15),
    last_day: day(14),
    stopped_payments,
  });
  const payments = plan().payments.map((own) =>
    own.state === 'upcoming' ? { ...own, state: 'stopped' as const } : own,
  );
  const stopped = plan({ payments, left: 0, next_day: null });
  hold(() => read(term({ plan: stopped, pending_cancellation: pending })), {
    [CARDS]: () => ({ data: [storedCard()] }),
  });
  openPolicy();
  const panel = within(await region('Monthly payments'));
  panel.getByText('Nothing more is due before your policy ends.');
  panel.getByText(/2 monthly payments of £10.00 in all stop\. Those due before/);
  expect(panel.queryByText(/We charge/)).toBeNull();
  expect(panel.queryByRole('link', { name: /Pay the rest/ })).toBeNull();
});

test('before a scheduled end another card can pay what is still due until then', async () => {
  const stopped_payments = { count: 1, total: 5, last_day: day(50) };
  const pending = activity({
    status: 'pending',
    effective_date: day(45),
    last_day: day(44),
    stopped_payments,
  });
  const payments = plan().payments.map((own, index) =>
    index === 3 ? { ...own, state: 'stopped' as const } : own,
  );
  const stopping = plan({ payments, left: 5, card_id: null });
  hold(() => read(term({ plan: stopping, pending_cancellation: pending })), {
    [CARDS]: () => ({ data: [] }),
  });
  openPolicy();
  const panel = within(await region('Monthly payments'));
  panel.getByText(/We have no card to charge for it\. Please add one, or pay it here/);
  const add = panel.getByRole('link', { name: 'Add a card' });
  expect(add.getAttribute('href')).toBe(`/payment/${UUID}?plan=due&keep=1`);
  panel.getByText('A new card pays your next payment of £5.00 now.');
  expect(panel.queryByRole('link', { name: /Pay the rest/ })).toBeNull();
});
