import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forId, refuse, type Server, sent } from '../../../api/testing';
import { writeDraft } from '../../../form/answers/draft';
import { saveToken } from '../../../lib/storage/tokens';
import { FIGURES, planOf, siteWith, UUID, updatedQuote } from '../../../testing/data';
import { COMPLETE } from '../../../testing/products/product';
import { serve, show } from '../../../testing/server';
import { quote, ROUTES, reading } from '../saved/editTesting';

const ACCEPT = 'POST /api/v1/quote/update-accept/{id}';
const MONTHLY = 'POST /api/v1/monthly-price';
const AGREED = { terms_and_conditions: true };
const LAST = `/quote/edit/${UUID}?step=4`;
const PLAN = planOf(48.16, '2026-11-23');

const accepting: Server = {
  [ACCEPT]: forId(UUID, ({ body }) => {
    const plan = body.payment_frequency === 'monthly' ? PLAN : null;
    return { data: { uuid: UUID, amount_due: plan ? 4.05 : 48.16, revision_id: 1, plan } };
  }),
};

const radio = (name: RegExp) => screen.findByRole<HTMLInputElement>('radio', { name });
const monthly = () => radio(/^Pay monthly:/);
const annual = () => radio(/^Pay £48\.16 now/);
const pay = (amount: string) => screen.findByRole('button', { name: `Pay ${amount} now` });

beforeEach(() => saveToken(UUID, 'secret'));
afterEach(() => {
  vi.unstubAllGlobals();
  sessionStorage.clear();
});

test('annual is the default, and one click more pays monthly', async () => {
  const calls = serve(accepting, reading({ values: AGREED, plan: PLAN }));
  show(ROUTES, LAST);
  expect((await annual()).checked).toBe(true);
  await pay('£48.16');
  expect(screen.queryByText(PLAN.consent)).toBeNull();
  const choice = await monthly();
  expect(choice.labels?.[0]?.textContent).toMatch(
    /^Pay monthly: £4\.05 today, then 11 payments of £4\.01/,
  );
  await userEvent.click(choice);
  await userEvent.click(await pay('£4.05'));
  await screen.findByText('Payment page');
  expect(sent(calls, ACCEPT)[0]?.body).toMatchObject({ payment_frequency: 'monthly' });
});

test('the page says everything about the plan before the payment', async () => {
  serve(reading({ plan: planOf(48.16, '2027-01-31') }), {
    'GET /api/v1/site': () => ({ data: siteWith({}) }),
  });
  show(ROUTES, LAST);
  await userEvent.click(await monthly());
  await screen.findByText(
    '£4.05 today, then 11 payments of £4.01 on the 31st of each month, or its last day if it has no 31st, until 31 December 2027. £48.16 in all, the same as paying at once. No interest, no charge.',
  );
  screen.getByText(PLAN.consent);
  screen.getByText(/try it again after 3 and 7 days.*at least 14 days' notice.*cover ends/);
  screen.getByText(/^Your cover is for the whole year/);
  await screen.findByText('It is the insurer who lets you pay monthly.');
  screen.getByText(/If you cancel, you make no payment that is not due yet/);
  expect(document.body.textContent).not.toMatch(/\bAPR\b|credit|loan|instalment/i);
  const row = screen.getByText('To pay now').parentElement as HTMLElement;
  within(row).getByText('£4.05');
});

test('the choice is there after a reload, and can be taken back', async () => {
  const calls = serve(accepting, reading({ values: AGREED, plan: PLAN }));
  show(ROUTES, LAST);
  await userEvent.click(await monthly());
  cleanup();
  show(ROUTES, LAST);
  await waitFor(async () => expect((await monthly()).checked).toBe(true));
  await userEvent.click(await annual());
  await userEvent.click(await pay('£48.16'));
  await screen.findByText('Payment page');
  expect(sent(calls, ACCEPT)[0]?.body).toMatchObject({ payment_frequency: 'annual' });
});

test('another browser shows the choice of the last acceptance', async () => {
  serve(reading({ values: AGREED, plan: PLAN, frequency: 'monthly' }));
  show(ROUTES, LAST);
  expect((await monthly()).checked).toBe(true);
  await pay('£4.05');
});

test('there is no choice where the server offers none', async () => {
  serve(reading());
  show(ROUTES, LAST);
  await pay('£48.16');
  expect(screen.queryByRole('radio', { name: /monthly/ })).toBeNull();
  expect(screen.queryByText(/a month$/)).toBeNull();
  expect(screen.queryByText(/can't be paid monthly/)).toBeNull();
});

test('a refused choice goes back to annual and says so', async () => {
  let plan: typeof PLAN | null = PLAN;
  const calls = serve(
    {
      [ACCEPT]: forId(UUID, ({ body }) => {
        if (body.payment_frequency !== 'monthly')
          return { data: { uuid: UUID, amount_due: 48.16, revision_id: 1, plan: null } };
        plan = null;
        return refuse(422, "This cover can't be paid monthly.", { code: 'monthly_not_offered' });
      }),
    },
    reading(() => ({ values: AGREED, plan })),
  );
  show(ROUTES, LAST);
  await userEvent.click(await monthly());
  await userEvent.click(await pay('£4.05'));
  const alert = await screen.findByText("This price can't be paid monthly. You pay £48.16 now.");
  expect(alert.closest('[role="alert"]')).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('radio', { name: /^Pay monthly/ })).toBeNull());
  await userEvent.click(await pay('£48.16'));
  await screen.findByText('Payment page');
  expect(sent(calls, ACCEPT).map(({ body }) => body.payment_frequency)).toEqual([
    'monthly',
    'annual',
  ]);
});

test.each([
  [52.16, true],
  [38.16, false],
])('a new price of £%s asks for its own plan', async (amount_total, isOffered) => {
  const next = { ...FIGURES, amount_total };
  const calls = serve(
    {
      'POST /api/v1/price': () => ({ data: { figures: next } }),
      ...(isOffered && { [MONTHLY]: () => ({ data: { plan: planOf(52.16, '2026-11-23') } }) }),
    } as Server,
    reading({ values: AGREED, plan: PLAN, frequency: 'monthly' }),
  );
  const values = { ...COMPLETE.values, ...AGREED, key_cover: true };
  writeDraft(UUID, { answers: { ...COMPLETE, values }, revision: 1 });
  show(ROUTES, LAST);
  if (isOffered) {
    await pay('£4.42');
    expect((await monthly()).checked).toBe(true);
    screen.getByText(/^£4\.42 today, then 11 payments of £4\.34 on the 23rd/);
  } else {
    await pay('£38.16');
    await screen.findByText("This price can't be paid monthly. You pay £38.16 now.");
  }
  expect(sent(calls, MONTHLY)).toHaveLength(1);
});

test('pays for no other first payment than it shows', async () => {
  const calls = serve(
    {
      'PUT /api/v1/quote/{id}': forId(UUID, () => ({ data: updatedQuote(UUID) })),
      [ACCEPT]: forId(UUID, () => ({
        data: { uuid: UUID, amount_due: 4.2, revision_id: 1, plan: planOf(50, '2026-11-23') },
      })),
    },
    reading({ values: AGREED, plan: PLAN }),
  );
  show(ROUTES, LAST);
  await userEvent.click(await monthly());
  await userEvent.click(await pay('£4.05'));
  await screen.findByText(/The price has changed since you saw it/);
  expect(screen.queryByText('Payment page')).toBeNull();
  expect(sent(calls, ACCEPT)).toHaveLength(1);
});

test('the sidebar shows the monthly payments on every step of a renewal', async () => {
  serve(reading({ renewal: true, plan: PLAN }));
  show(ROUTES, `/quote/edit/${UUID}?step=2`);
  const summary = within(await screen.findByRole('region', { name: 'Cover summary' }));
  summary.getByText('or 12 payments: £4.05 today, then £4.01 a month');
});

test('both consents stand on the page once, also if not every gateway keeps cards', async () => {
  serve(
    { 'GET /api/v1/site': () => ({ data: siteWith({ renews_by_card: false }) }) },
    reading({ plan: PLAN }),
  );
  show(ROUTES, LAST);
  const name = 'Renew my cover by itself each year';
  await userEvent.click(await monthly());
  expect(screen.getByRole('checkbox', { name })).toBeTruthy();
  expect(screen.getAllByText(PLAN.consent)).toHaveLength(1);
  await userEvent.click(await annual());
  expect(screen.queryByRole('checkbox', { name })).toBeNull();
});

test('a single trip is never paid monthly', async () => {
  const trip = quote({ plan: null });
  const price = { ...FIGURES, per: 'trip' as const };
  const calls = serve({
    'GET /api/v2/public/quote/read/{id}': forId(UUID, () => ({
      data: { ...trip, info: { ...trip.info, price } },
    })),
  });
  show(ROUTES, LAST);
  await pay('£48.16');
  expect(screen.queryByRole('radio', { name: /monthly/ })).toBeNull();
  expect(sent(calls, MONTHLY)).toHaveLength(0);
});
