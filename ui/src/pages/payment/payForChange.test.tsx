import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { mutate } from 'swr';
import { afterEach, describe, expect, test } from 'vitest';
import { policyKey, quoteKey, usePolicyRead, useQuoteRead } from '../../api/hooks';
import type { Adjustment } from '../../api/policies/policyTypes';
import { forId, sent } from '../../api/testing';
import type { Payment as Attempt } from '../../api/types';
import { chargeText } from '../../features/payment/result/FailureScreen';
import { destination, isOpen } from '../../features/payment/result/usePaymentStatus';
import { formatLongDate } from '../../lib/dates/dates';
import { UUID } from '../../testing/data';
import {
  ADJUSTMENT,
  adjustment,
  day,
  ending,
  forgetAll,
  hold,
  read,
  term,
} from '../../testing/policy';
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

const INITIATE = 'POST /api/v1/gateway/{provider}/initiate';

const attempt = (status: Attempt['status'], charged: boolean | null = null): Attempt => ({
  payment_id: 'p1',
  status,
  amount: 12.89,
  quote_uuid: UUID,
  custom_id: 'BRK100000001',
  message: null,
  charged,
  unresolved: null,
  reversed: false,
  refund: 'none',
  refund_reason: null,
  policy: true,
  adjustment_uuid: ADJUSTMENT,
  policy_uuid: UUID,
  pays_plan: false,
});

function due(payment: () => Attempt, changes: () => Adjustment[]) {
  return hold(() => read(), {
    'GET /api/v1/payment/{id}': forId(ADJUSTMENT, () => ({ data: payment() })),
    'GET /api/v1/policy/{id}/mta': forId(UUID, () => ({ data: changes() })),
    [INITIATE]: forId('sandbox', () => ({
      data: {
        payment_id: 'p1',
        kind: 'iframe',
        url: 'about:blank',
        method: 'GET',
        fields: {},
        resumed: false,
        earlier_processing: false,
      },
    })),
  });
}

afterEach(async () => {
  cleanup();
  // Within half a second `usePaymentStatus` does not read the same payment twice.
  await new Promise((resolve) => setTimeout(resolve, 500));
  await forgetAll();
});

test('a change is paid for by itself: what is due and for what', async () => {
  const calls = due(
    () => attempt('pending'),
    () => [adjustment()],
  );
  visit(ROUTES, `/payment/${ADJUSTMENT}`);
  await screen.findByRole('heading', { name: 'Pay for your change' });
  expect(screen.getByText('£12.89')).toBeTruthy();
  expect(screen.getByText('Key cover')).toBeTruthy();
  await screen.findByTitle('Card payment');
  expect(sent(calls, INITIATE)[0]?.body).toEqual({
    uuid: ADJUSTMENT,
  });
  expect(screen.getByRole('link', { name: 'Back' }).getAttribute('href')).toBe(
    `/quote/edit/${UUID}?adjustment=${ADJUSTMENT}`,
  );
});

test.each(['', '?change=1', '?gateway=sandbox&left'])(
  "its page's title is of a change, whatever is known of it from its address: %s",
  async (query) => {
    due(
      () => attempt('pending'),
      () => [adjustment()],
    );
    visit(ROUTES, `/payment/${ADJUSTMENT}${query}`);
    await screen.findByRole('heading', { name: 'Pay for your change' });
    expect(document.title).toMatch(/^Pay for your change/);
  },
);

test('one that has run out is not paid for', async () => {
  due(
    () => attempt('failed', false),
    () => [adjustment({ status: 'expired' })],
  );
  visit(ROUTES, `/payment/${ADJUSTMENT}`);
  await screen.findByRole('heading', { name: 'This price has run out' });
  expect(screen.queryByTitle('Card payment')).toBeNull();
});

test('one that something else came before is not said to have run out', async () => {
  due(
    () => attempt('failed', false),
    () => [adjustment({ status: 'superseded' })],
  );
  visit(ROUTES, `/payment/${ADJUSTMENT}`);
  await screen.findByRole('heading', { name: 'This price no longer holds' });
  await screen.findByText(/^Another change or a cancellation of your policy came first/);
  expect(screen.queryByText(/for a day/)).toBeNull();
  await screen.findByRole('link', { name: 'Work it out again' });
});

test.each(['', 'success/'])(
  'a paid change of a policy that was cancelled says so at /payment/%s',
  async (page) => {
    const dropped = adjustment({
      status: 'superseded',
      agreed: `${day(-1)}T12:00:00Z`,
      ended_at: `${day(0)}T12:00:00Z`,
      refund: { amount: 12.89, lines: [], status: 'pending' },
    });
    hold(() => read(undefined, { status_id: 8, status_title: 'Cancelled' }), {
      'GET /api/v1/payment/{id}': forId(ADJUSTMENT, () => ({ data: attempt('paid', true) })),
      'GET /api/v1/policy/{id}/mta': forId(UUID, () => ({ data: [dropped] })),
    });
    visit(ROUTES, `/payment/${page}${ADJUSTMENT}`);
    await screen.findByText(/^This change is not part of your cover\. Your policy is cancelled\./);
  },
);

test('one that is made already says so', async () => {
  due(
    () => attempt('paid', true),
    () => [adjustment({ status: 'applied' })],
  );
  visit(ROUTES, `/payment/${ADJUSTMENT}`);
  await screen.findByRole('heading', { name: 'Your change is made' });
});

test('paid, it waits for the change to be made', async () => {
  let isApplied = false;
  due(
    () => attempt('paid', true),
    () => [adjustment({ status: isApplied ? 'applied' : 'pending' })],
  );
  visit(ROUTES, `/payment/processing/${ADJUSTMENT}`);
  await screen.findByRole('heading', { name: 'We are making your change' });
  isApplied = true;
  await screen.findByRole('heading', { name: 'Your change is made' });
  expect(screen.getByText(/new documents are being made/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'View your policy' }).getAttribute('href')).toBe(
    `/policy/view/${UUID}`,
  );
});

describe('a change for a later day', () => {
  const scheduled = (change: Partial<Adjustment> = {}) =>
    adjustment({ effective_date: day(30), ...change });

  test('says before paying when the cover changes', async () => {
    due(
      () => attempt('pending'),
      () => [scheduled()],
    );
    visit(ROUTES, `/payment/${ADJUSTMENT}`);
    await screen.findByText(
      new RegExp(`Your cover changes on ${formatLongDate(day(30))}, once it is paid\\.`),
    );
  });

  test('paid, is agreed and not made: it says from when', async () => {
    due(
      () => attempt('paid', true),
      () => [scheduled({ status: 'agreed', agreed: `${day(0)}T12:00:00Z` })],
    );
    visit(ROUTES, `/payment/processing/${ADJUSTMENT}`);
    await screen.findByRole('heading', { name: 'Your change is agreed' });
    expect(
      screen.getByText(
        `You paid £12.89. From ${formatLongDate(day(30))} your cover is as below. Until then it stays as it is.`,
      ),
    ).toBeTruthy();
    expect(screen.queryByText(/documents are being made/)).toBeNull();
  });

  test('withdrawn, it says so and what comes back', async () => {
    const refund = { amount: 12.89, lines: [], status: 'pending' as const };
    due(
      () => attempt('paid', true),
      () => [scheduled({ status: 'withdrawn', agreed: `${day(0)}T12:00:00Z`, refund })],
    );
    visit(ROUTES, `/payment/${ADJUSTMENT}`);
    await screen.findByRole('heading', { name: 'You withdrew this change' });
    expect(screen.getByText(/£12.89 is on its way back to the card that paid/)).toBeTruthy();
    expect(screen.queryByTitle('Card payment')).toBeNull();
  });
});

describe('after a payment, what was read before it is not shown again:', () => {
  function Before() {
    const policy = usePolicyRead(UUID);
    const quote = useQuoteRead(UUID);
    return <p>{policy.data || quote.data ? 'Something old' : 'Nothing old'}</p>;
  }

  async function readCached() {
    for (const key of [policyKey(UUID), quoteKey(UUID)]) {
      await mutate(key, read(), { revalidate: false });
    }
  }

  test('the policy, once its change is made', async () => {
    due(
      () => attempt('paid', true),
      () => [adjustment({ status: 'applied' })],
    );
    await readCached();
    visit({ ...ROUTES, '/policy/view/:id': <Before /> }, `/payment/success/${ADJUSTMENT}`);
    await screen.findByRole('heading', { name: 'Your change is made' });
    await userEvent.click(screen.getByRole('link', { name: 'View your policy' }));
    const first = await screen.findByText(/ old$/);
    expect(first.textContent).toBe('Nothing old');
  });

  test('the quote, once it is bought', async () => {
    const sale = { ...attempt('paid', true), adjustment_uuid: null };
    hold(() => read(), { 'GET /api/v1/payment/{id}': forId(UUID, () => ({ data: sale })) });
    await readCached();
    visit({ ...ROUTES, '/payment/success/:id': <Before /> }, `/payment/processing/${UUID}`);
    await screen.findByText('Nothing old');
  });
});

test('failed, the cover is unchanged and another try is offered', async () => {
  due(
    () => attempt('failed', false),
    () => [adjustment()],
  );
  visit(ROUTES, `/payment/failure/${ADJUSTMENT}`);
  await screen.findByText('This change was not made.');
  expect(screen.getByText('No charge was made to your card.')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Try again' }).getAttribute('href')).toBe(
    `/payment/${ADJUSTMENT}`,
  );
  expect(screen.queryByText(/Your quote is kept/)).toBeNull();
});

test('an address that is neither a quote nor a change says what to do', async () => {
  hold(() => read());
  visit(ROUTES, `/payment/${ADJUSTMENT}`);
  await screen.findByRole('heading', { name: "We can't open this quote here" });
});

test('a paid change is at its end; one that came too late is given back', () => {
  const paid = attempt('paid', true);
  expect(isOpen(paid)).toBe(false);
  expect(destination({ ...paid, policy: false })).toBe(`/payment/success/${ADJUSTMENT}`);
  const refunded = { ...paid, status: 'refunded' } as const;
  expect(destination(refunded)).toBe(`/payment/failure/${ADJUSTMENT}`);
  expect(chargeText(refunded)).toContain('could no longer be made');
  expect(isOpen({ ...paid, status: 'pending' })).toBe(true);
});

test('a sale shows its documents, and asks after those being made', async () => {
  let readCount = 0;
  const documents = [
    { identifier: 'b-wording', title: 'Policy wording', is_ready: true, date: null },
    { identifier: 'd1', title: 'Policy schedule', is_ready: false, date: null },
  ];
  hold(() => read(), {
    'GET /api/v1/policy/{id}/documents': forId(UUID, () => ({
      data: { documents: [{ title: 'Yours', documents }], revisions: {}, external: [] },
    })),
    'POST /api/v1/documents/check': () => {
      readCount += 1;
      return { data: { d1: true } };
    },
  });
  visit(ROUTES, `/payment/success/${UUID}`);
  await screen.findByRole('link', { name: /Policy wording/ });
  await screen.findByRole('link', { name: /Policy schedule/ });
  expect(readCount).toBe(1);
});

test.each([
  [14, 'Your policy was undone'],
  [8, 'Your policy is cancelled'],
  [15, 'Your policy has run to its end'],
] as const)(
  'a sale whose policy has status %s says what became of it',
  async (status_id, title) => {
    hold(() => read(term({ paid: 0 }), { status_id }));
    visit(ROUTES, `/payment/success/${UUID}`);
    await screen.findByRole('heading', { name: title });
    expect(screen.queryByText(/set up|Cover begins|Paid|renew/)).toBeNull();
    expect(screen.getByRole('link', { name: 'View your policy' })).toBeTruthy();
  },
);

test('a sale of cover that is to end early says its last day', async () => {
  hold(() => read(term({ pending_cancellation: ending() })));
  visit(ROUTES, `/payment/success/${UUID}`);
  await screen.findByText(
    new RegExp(`Your cover began at .*\\. Your cover ends on ${formatLongDate(day(20))}\\.`),
  );
});
