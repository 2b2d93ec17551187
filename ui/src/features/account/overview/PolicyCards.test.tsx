import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { Activity, PolicyTerm } from '../../../api/policies/policyTypes';
import { forId, refuse, type Server } from '../../../api/testing';
import type { ListItem, Multi, Product } from '../../../api/types';
import { formatLongDate, formatShortDay } from '../../../lib/dates/dates';
import { savedQuote } from '../../../testing/data';
import { unpaidPlan } from '../../../testing/plan';
import { activity, adjustment, COMPARISON, day, may, term } from '../../../testing/policy';
import { GADGET } from '../../../testing/products/gadget';
import { PRODUCT } from '../../../testing/products/product';
import { serve, show } from '../../../testing/server';
import { account, daysFromNow, listQueries, row } from '../list/testing';
import { PolicyCards } from './PolicyCards';

const READ = 'GET /api/v2/policy/read/{id}';

const VEHICLES: Multi = {
  vehicles: [{ vehicle_registration: 'ab12 cde' }, { vehicle_registration: 'XY34 ZAB' }],
};

function policies(
  items: ListItem[],
  begins = '2026-01-01T00:00:00Z',
  product: Product = PRODUCT,
  multi: Multi = VEHICLES,
  policy: Partial<PolicyTerm> = {},
): Server {
  const { product_identifier } = product.info;
  return {
    'GET /api/v2/openapi/product/{id}': forId(product_identifier, () => product),
    [READ]: ({ params }) => ({
      data: {
        ...savedQuote(params.id, 'LBY000001', { product_identifier }),
        multi,
        policy: term({ cover_begins: begins, can: may(), ...policy }),
      },
    }),
    // Only the call for renewals has `flags[]`.
    ...account((query) => (query.has('flags[]') ? [] : items)),
  };
}

const open = () => show({ '/': <PolicyCards /> }, '/');

afterEach(() => {
  vi.unstubAllGlobals();
});

test('live policies: what is covered, until when, and whom to call', async () => {
  const calls = serve(policies([row(1)]));
  open();
  const card = (await screen.findByRole('heading', { name: /LBY000001/ })).closest('li');
  const inside = within(card as HTMLElement);
  expect(inside.getByText('Live')).toBeTruthy();
  expect(inside.getByText('22/11/2026 to 21/11/2027')).toBeTruthy();
  const vehicles = await inside.findByRole('list', { name: 'Vehicles' });
  expect(
    within(vehicles)
      .getAllByRole('listitem')
      .map((li) => li.textContent),
  ).toEqual(['AB12 CDE', 'XY34 ZAB']);
  const call = await inside.findByRole('link', { name: 'Broken down? Call 0800 555 0199' });
  expect(call.getAttribute('href')).toBe('tel:08005550199');
  expect(inside.getByRole('link', { name: 'View policy LBY000001' }).getAttribute('href')).toMatch(
    /^\/policy\/view\//,
  );
  expect(screen.queryByText(/See all/)).toBeNull();
  expect(inside.queryByText('Cover begins')).toBeNull();
  const live = listQueries(calls).find((query) => query.getAll('quoteStatus[]').join() === '5');
  expect(live?.get('limit')).toBe('3');
});

test('another product says what it covers and whom to call for it', async () => {
  const gadgets = { gadgets: [{ gadget_type: 1 }, { gadget_type: 2 }] };
  serve(policies([row(1)], undefined, GADGET, gadgets));
  open();
  const gadgetList = await screen.findByRole('list', { name: 'Gadgets' });
  const texts = within(gadgetList).getAllByRole('listitem');
  expect(texts.map((li) => li.textContent)).toEqual(['Phone', 'Tablet']);
  await screen.findByRole('link', { name: 'Need to claim? Call 0330 123 4567' });
  expect(screen.queryByText(/Broken down/)).toBeNull();
});

test('a policy that could not be read names the number that is answered at any hour', async () => {
  serve({ ...policies([row(1)]), [READ]: () => refuse(400, 'No') });
  open();
  await screen.findByRole('link', { name: 'Need to claim? Call 0800 555 0199' });
});

test('cover that has not begun says when it does', async () => {
  const begins = '2099-01-02T00:00:00Z';
  serve(policies([row(1, { cover_begins: begins })], begins));
  open();
  await screen.findByText('Cover begins');
  expect(screen.getByText('02/01/2099 00:00')).toBeTruthy();
  expect(screen.getByText('Starts 2 January 2099')).toBeTruthy();
  expect(screen.getByText('Live').dataset.tone).toBe('coming');
});

test('three are shown; the rest are in the list', async () => {
  serve(policies([1, 2, 3, 4, 5].map((n) => row(n))));
  open();
  const all = await screen.findByRole('link', { name: 'See all 5 policies' });
  expect(all.getAttribute('href')).toBe('/dashboard?tab=policies');
  expect(screen.getAllByRole('link', { name: /View policy/ })).toHaveLength(3);
});

test('nothing yet: the way to a quote', async () => {
  serve(policies([]));
  open();
  expect((await screen.findByRole('link', { name: 'Get a quote' })).getAttribute('href')).toBe('/');
  expect(screen.queryByRole('heading', { name: 'Quotes waiting for you' })).toBeNull();
});

test('a quote that can be bought is one press away', async () => {
  serve(
    policies([
      row(1, { status_id: 1, amount_total: 48.16, date_quote_expiry: daysFromNow(12.01) }),
    ]),
  );
  open();
  const panel = within(await screen.findByRole('region', { name: 'Quotes waiting for you' }));
  expect(panel.getByText('£48.16')).toBeTruthy();
  expect(panel.getByText('in 12 days')).toBeTruthy();
  expect(panel.getByRole('link', { name: 'Continue LBY000001' }).getAttribute('href')).toMatch(
    /^\/quote\/edit\//,
  );
});

test('policies that could not be loaded can be asked for again', async () => {
  let isBroken = true;
  serve(
    { 'GET /api/v2/policy/list': () => (isBroken ? refuse(400, 'No') : undefined) },
    policies([row(1)]),
  );
  open();
  const policyList = within(await screen.findByRole('region', { name: 'Your policies' }));
  await policyList.findByText('Your policies could not be loaded.');
  isBroken = false;
  await userEvent.click(policyList.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('heading', { name: /LBY000001/ });
});

async function bothCards(pending_cancellation: Activity | null, gap: string) {
  const now = row(1, { date_inception: day(-344), date_expiry: day(20) });
  const next = row(2, { date_inception: day(21), date_expiry: day(385) });
  const read = (item: ListItem, policy: Partial<PolicyTerm>) => ({
    data: {
      ...savedQuote(item.policy_uuid, item.custom_id, { status_id: 5 }),
      policy: term({
        inception: item.date_inception ?? '',
        expiry: item.date_expiry ?? '',
        can: may(),
        ...policy,
      }),
    },
  });
  serve(
    {
      [READ]: ({ params }) =>
        params.id === now.policy_uuid
          ? read(now, { renewed_by: next.policy_uuid, pending_cancellation })
          : read(next, { renews: now.policy_uuid, cover_begins: `${day(21)}T00:00:00Z` }),
    },
    policies([next, now]),
  );
  open();
  const card = async (reference: RegExp) =>
    (await screen.findByRole('heading', { name: reference })).closest('li') as HTMLElement;
  const nextCard = within(await card(/LBY000002/));
  const starts = `Starts ${formatShortDay(day(21))}.`;
  expect((await nextCard.findByText(starts)).parentElement?.textContent).toBe(
    `${starts} You stay covered by LBY000001 until ${formatLongDate(pending_cancellation?.last_day ?? day(20))}.${gap}`,
  );
  const present = within(await card(/LBY000001/));
  expect((await present.findByText('Covers you now.')).parentElement?.textContent).toBe(
    `Covers you now. It is renewed: LBY000002 starts ${formatShortDay(day(21))}.${gap}`,
  );
}

test('of a policy and the one that renews it, each says which it is', () => bothCards(null, ''));

test('of a policy that ends before its renewal begins, both cards name the days between', () =>
  bothCards(
    activity({ status: 'pending', effective_date: day(11), last_day: day(10) }),
    ` The days from ${formatLongDate(day(11))} to ${formatLongDate(day(20))} are not covered.`,
  ));

test('a policy that is to end early, or to change, says so on its card; it is still live', async () => {
  const scheduled: Partial<PolicyTerm> = {
    can: may({ cancel: true, renew: true }),
    pending_cancellation: activity({
      status: 'pending',
      effective_date: day(21),
      last_day: day(20),
    }),
    scheduled_change: adjustment({ status: 'agreed', effective_date: day(10) }),
  };
  serve(policies([row(1)], undefined, PRODUCT, VEHICLES, scheduled));
  open();
  const card = (await screen.findByRole('heading', { name: /LBY000001/ })).closest('li');
  const inside = within(card as HTMLElement);
  await inside.findByText(`Ends on ${formatLongDate(day(20))}.`);
  expect(inside.getByText(`Changes on ${formatLongDate(day(10))}.`)).toBeTruthy();
  expect(inside.getByText('Live')).toBeTruthy();
  expect(inside.queryByRole('link', { name: /^Renew/ })).toBeNull();
  expect(inside.queryByRole('link', { name: /^Change,/ })).toBeNull();
});

test('a policy that is to end before it begins never covers', async () => {
  const begins = `${day(1)}T00:00:00Z`;
  serve(
    policies([row(1, { date_inception: day(1), cover_begins: null })], begins, PRODUCT, VEHICLES, {
      inception: day(1),
      pending_cancellation: activity({ status: 'pending', effective_date: day(1), last_day: null }),
    }),
  );
  open();
  await screen.findByText(`Ends before it begins on ${formatLongDate(day(1))}.`);
  expect(screen.queryByText(/^Starts/)).toBeNull();
  expect(screen.queryByText('Cover begins')).toBeNull();
  expect(screen.queryByText(/Broken down/)).toBeNull();
});

test('a renewal is ready, unless its policy is to end early', async () => {
  const renewal = row(2, { status_id: 1 });
  let ends = true;
  const routes = () => {
    const pending_cancellation = ends
      ? activity({ status: 'pending', effective_date: day(21), last_day: day(20) })
      : null;
    const { [READ]: reading, ...rest } = policies([row(1)], undefined, PRODUCT, VEHICLES, {
      pending_cancellation,
    });
    return {
      ...rest,
      [READ]: reading,
      'GET /api/v1/renewal/{id}': forId(renewal.policy_uuid, () => ({
        data: { ...COMPARISON, policy_uuid: row(1).policy_uuid },
      })),
      ...account((query) => (query.has('flags[]') ? [renewal] : [row(1)])),
    } satisfies Server;
  };
  serve(routes());
  open();
  await screen.findByText(`Ends on ${formatLongDate(day(20))}.`);
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Ready to renew' })).toBeNull());
  cleanup();

  ends = false;
  serve(routes());
  open();
  const panel = within(await screen.findByRole('region', { name: 'Ready to renew' }));
  expect(panel.getByRole('link', { name: 'See renewal LBY000002' })).toBeTruthy();
  const titles = screen.getAllByRole('heading', { level: 2 }).map((each) => each.textContent);
  expect(titles.slice(0, 2)).toEqual(['Ready to renew', 'Your policies']);
});

test('renewals and quotes that could not be read are said so, and asked for again', async () => {
  let down = true;
  const lists: Server = {
    'GET /api/v2/policy/list': () => (down ? refuse(404, 'Nothing here.') : undefined),
  };
  serve(
    lists,
    account((query) => (query.has('flags[]') ? [row(1, { status_id: 1 })] : [])),
  );
  open();
  for (const [title, text] of [
    ['Ready to renew', 'Your renewal quotes could not be loaded.'],
    ['Quotes waiting for you', 'Your quotes could not be loaded.'],
  ] as const) {
    const part = within(await screen.findByRole('region', { name: title }));
    expect(part.getByText(text)).toBeTruthy();
  }
  down = false;
  const renewals = within(screen.getByRole('region', { name: 'Ready to renew' }));
  await userEvent.click(renewals.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('link', { name: /^See renewal/ });
});

test('a failed monthly payment is said on its policy, with the way to pay', async () => {
  serve(policies([row(1)], undefined, PRODUCT, VEHICLES, { plan: unpaidPlan() }));
  open();
  const notice = within(await screen.findByRole('alert'));
  notice.getByText('A monthly payment is unpaid');
  const pay = notice.getByRole('link', { name: 'Pay now, policy LBY000001' });
  expect(pay.getAttribute('href')).toMatch(/^\/policy\/view\/.*#payments$/);
});
