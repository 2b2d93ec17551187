import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import type { Adjustment } from '../../api/policies/policyTypes';
import { forId, refuse, sent } from '../../api/testing';
import { formatLongDate } from '../../lib/dates/dates';
import { UUID } from '../../testing/data';
import { plan, unpaidPlan } from '../../testing/plan';
import { ADJUSTMENT, adjustment, day, forgetAll, hold, read, term } from '../../testing/policy';
import { openChange } from './testing';

const INCREASE = 'PUT /api/v1/policy/{id}/mta/increase';
const MAKE = 'PUT /api/v1/policy/{id}/mta';
const CONFIRM = 'PUT /api/v1/policy/{id}/mta/confirm';

/** An increase of £2.00 that is spread over the two payments that are left. */
const SPREAD = adjustment({
  amount_now: 2,
  is_spread: true,
  plan: {
    total: 22,
    payments: plan().payments.map(({ due, amount, state }) => ({
      due,
      amount: state === 'upcoming' ? amount + 1 : amount,
    })),
    consent: '',
  },
});

afterEach(forgetAll);

test('an increase is agreed without a payment, after the new payments were shown', async () => {
  let change: Adjustment = SPREAD;
  const calls = hold(() => read(term({ plan: plan() })), {
    'GET /api/v1/policy/{id}/mta': forId(UUID, () => ({ data: [change] })),
    [MAKE]: forId(UUID, () => {
      change = { ...SPREAD, status: 'applied', plan: null };
      return { data: change };
    }),
  });
  openChange(`?adjustment=${ADJUSTMENT}`);
  await screen.findByRole('heading', { name: 'Your new price' });
  screen.getAllByText('Added to your monthly payments');
  const first = `The payment of ${formatLongDate(day(20))} is £6.00 instead of £5.00.`;
  expect(screen.getByText(/^Nothing is paid today\./).textContent).toContain(first);
  expect(screen.queryByText('To pay today')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Accept' }));
  await screen.findByRole('heading', { name: 'Your change is made' });
  screen.getByText('£2.00 was added to your monthly payments.');
  expect(document.body.textContent).not.toContain('You paid');
  expect(sent(calls, INCREASE)).toHaveLength(0);
});

test('a decrease beyond what is left says what comes back', async () => {
  const payments = plan().payments.slice(0, 2);
  const less = adjustment({
    kind: 'decrease',
    amount_now: -12,
    is_spread: true,
    plan: { total: 10, payments, consent: '' },
  });
  hold(() => read(term({ plan: plan() })), {
    'GET /api/v1/policy/{id}/mta': forId(UUID, () => ({ data: [less] })),
  });
  openChange(`?adjustment=${ADJUSTMENT}`);
  await screen.findByText(/is nothing instead of £5.00\. £2.00 more than is left comes back/);
  screen.getAllByText('Taken off your monthly payments');
});

test('while a payment is due, the page says so first, and the refusal leads to the payments', async () => {
  const message = '£5.00 of your monthly payments is due. Please pay that first.';
  hold(() => read(term({ plan: unpaidPlan() })), {
    [CONFIRM]: forId(UUID, () => refuse(409, message, { code: 'payment_due' })),
  });
  openChange();
  await screen.findByText(/^£5.00 of your monthly payments is due\. Please pay it before/);
  await userEvent.click(await screen.findByRole('button', { name: 'Update my details' }));
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Key cover' }));
  await userEvent.click(screen.getByRole('button', { name: 'See the new price' }));
  await screen.findByText(message);
  const ways = screen.getAllByRole('link', { name: 'Pay now' });
  expect(ways.map((link) => link.getAttribute('href'))).toEqual([
    `/policy/view/${UUID}#payments`,
    `/policy/view/${UUID}#payments`,
  ]);
  expect(screen.queryByRole('button', { name: 'Reload' })).toBeNull();
});
