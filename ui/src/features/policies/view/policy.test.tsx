import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test } from 'vitest';
import type { Adjustment } from '../../../api/policies/policyTypes';
import { forId, refuse, type Server, sent } from '../../../api/testing';
import { readDraft } from '../../../form/answers/draft';
import { UUID } from '../../../testing/data';
import { plan } from '../../../testing/plan';
import {
  ADJUSTMENT,
  adjustment,
  COMPARISON,
  forgetAll,
  hold,
  may,
  RENEWAL,
  read,
  term,
} from '../../../testing/policy';
import { visit } from '../../../testing/server';
import { PolicyScreen } from './PolicyScreen';

const CHANGES = 'GET /api/v1/policy/{id}/mta';
const AUTO_RENEW = 'PUT /api/v1/policy/{id}/auto-renew';
const COMPARE = 'GET /api/v1/renewal/{id}';

const ROUTES = {
  '/': <p>The quote start</p>,
  '/policy/view/:id': <PolicyScreen uuid={UUID} />,
  '/quote/edit/:id': <p>Change page</p>,
};
const open = (hash = '') => visit(ROUTES, `/policy/view/${UUID}${hash}`);

afterEach(forgetAll);

describe('what was bought', () => {
  const PARTNER = { id: 1, name: 'Compare Example', identifier: 'compare', logo_url: '/logo.svg' };

  test('is summed up: through whom, by which reference and for how much a year', async () => {
    hold(() => read(term(), { aggregator: PARTNER }));
    open();
    const card = within(await screen.findByRole('region', { name: 'Your Policy' }));
    expect(card.getByText('In association with:')).toBeTruthy();
    expect(card.getByText('Compare Example')).toBeTruthy();
    expect(card.getByRole('presentation').getAttribute('src')).toBe('/logo.svg');
    expect(card.getByText('Policy ID: BRK100000001')).toBeTruthy();
    expect(card.getByRole('heading', { name: 'Your Premium' })).toBeTruthy();
    expect(card.getByText('/year').parentElement?.textContent).toBe('£74.48/year');
    expect(card.getByText('National cover')).toBeTruthy();
    const ask = within(screen.getByRole('region', { name: 'Got any questions or need a hand?' }));
    expect(ask.getByText('9am to 5pm Monday to Friday')).toBeTruthy();
    expect(ask.getByRole('link', { name: '0330 123 4567' })).toBeTruthy();
    expect(ask.getByRole('link', { name: 'help@example.com' })).toBeTruthy();
  });

  test('begins with its status, its documents and what can be done', async () => {
    hold(() => read(term(), { account: 'mine' }));
    open();
    await screen.findByRole('region', { name: 'Manage your policy' });
    const [title] = screen.getAllByRole('heading', { level: 1 });
    expect(title?.parentElement?.parentElement?.textContent).toContain('Live');
    const names = screen
      .getAllByRole('region')
      .map((card) => card.getAttribute('aria-labelledby'))
      .map((id) => id && document.getElementById(id)?.textContent);
    const place = (name: string) => names.indexOf(name);
    expect(place('Documents')).toBe(0);
    expect(place('Documents')).toBeLessThan(place('Your Policy'));
    expect(place('Manage your policy')).toBeGreaterThan(0);
    expect(place('Manage your policy')).toBeLessThan(place('Your rescue card'));
  });

  test('a single trip has its price by the trip, and no partner is shown if there is none', async () => {
    const price = { amount_total: 41, amount_net: 36.61, amount_tax: 4.39, lines: [] };
    hold(() => read(term(), { price: { ...price, currency: 'GBP', per: 'trip', basis: 'term' } }));
    open();
    await screen.findByText('/trip');
    expect(screen.queryByText('In association with:')).toBeNull();
  });
});

describe("the account's tabs", () => {
  test('stand on the policy too, and lead to its lists', async () => {
    hold(() => read());
    open();
    const bar = within(await screen.findByRole('navigation', { name: 'Your account' }));
    const tabs = bar
      .getAllByRole('link')
      .map((link) => [link.textContent, link.getAttribute('aria-current')]);
    expect(tabs).toEqual([
      ['Dashboard', null],
      ['Policies', 'true'],
      ['Payments', null],
      ['Quotes', null],
      ['Renewal Quotes', null],
    ]);
    expect(bar.getByRole('button', { name: 'Logout' })).toBeTruthy();
  });

  test('are not there for somebody who reads it by a link alone', async () => {
    hold(() => read(), { 'GET /api/v1/profile': () => refuse(401, 'Nobody') });
    open();
    await screen.findByRole('region', { name: 'Your Policy' });
    expect(screen.queryByRole('navigation', { name: 'Your account' })).toBeNull();
  });
});

describe('what may be done', () => {
  test('is offered, and what may not be is not', async () => {
    hold(() => read());
    open();
    const change = await screen.findByRole('link', { name: 'Change cover' });
    expect(change.getAttribute('href')).toBe(`/quote/edit/${UUID}`);
    expect(screen.getByRole('button', { name: 'Cancel cover' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: "I don't want this after all" })).toBeNull();
    expect(screen.queryByRole('link', { name: 'Renew' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Buy again' })).toBeNull();
  });

  test('the reasons why something may not be done are shown once', async () => {
    const reason = 'A single trip is not changed.';
    const policy = term({
      can: may({ cancel: true }),
      why_not: {
        change: reason,
        renew: reason,
        not_take_up: 'Your cover has begun.',
        auto_renew: 'No card is kept.',
      },
    });
    hold(() => read(policy));
    open();
    await screen.findByText(reason);
    expect(screen.queryByRole('link', { name: 'Change cover' })).toBeNull();
    expect(screen.queryByText('Your cover has begun.')).toBeNull();
    expect(screen.queryByRole('switch')).toBeNull();
    expect(screen.getByText('No card is kept.')).toBeTruthy();
  });

  test('whoever is not logged in is asked to, and nothing is asked for that takes a login', async () => {
    const why_not = { change: 'Please log in to do this.' };
    const policy = term({ can: may(), why_not, plan: plan() });
    const calls = hold(() => read(policy, { account: 'other_account' }), {
      'GET /api/v1/profile': () => refuse(401, 'Nobody'),
    });
    open();
    const account = within(await screen.findByRole('region', { name: 'Your account' }));
    expect(account.getByRole('button', { name: 'Login' })).toBeTruthy();
    expect(screen.queryByText('Please log in to do this.')).toBeNull();
    expect(screen.queryByText('Monthly payments')).toBeNull();
    expect(sent(calls, CHANGES)).toHaveLength(0);
  });

  test('ended, it is bought again with the same answers', async () => {
    hold(() => read(term({ can: may() }), { status_id: 15, status_title: 'Expired' }));
    open();
    await userEvent.click(await screen.findByRole('button', { name: 'Buy again' }));
    await screen.findByText('The quote start');
    expect(readDraft('breakdown')?.answers.values.first_name).toBe('Ann');
  });

  test('renewed, the new policy is one press away', async () => {
    const policy = term({ can: may(), renewed_by: RENEWAL });
    hold(() => read(policy, { status_id: 16, status_title: 'Renewed' }));
    open();
    const link = await screen.findByRole('link', { name: 'View your new policy' });
    expect(link.getAttribute('href')).toBe(`/policy/view/${RENEWAL}`);
  });
});

describe('renewing by itself', () => {
  test('is switched in one click, which says what will be charged', async () => {
    let isOn = false;
    const calls = hold(() => read(term({ auto_renew: isOn })), {
      [AUTO_RENEW]: forId(UUID, ({ body }) => {
        isOn = body.auto_renew;
        return { data: { auto_renew: isOn } };
      }),
    });
    open();
    const control = await screen.findByRole('switch', {
      name: 'Renew my cover by itself each year',
    });
    expect(screen.getByText(/Nothing will be charged/)).toBeTruthy();
    await userEvent.click(control);
    await screen.findByText(/We will charge the card that paid for it/);
    await waitFor(() => expect(sent(calls, 'GET /api/v2/policy/read/{id}')).toHaveLength(2));
    expect((control as HTMLInputElement).checked).toBe(true);
  });

  test('goes back to its old value if the call fails', async () => {
    hold(() => read(), { [AUTO_RENEW]: () => refuse(503, 'Busy.') });
    open();
    const control = await screen.findByRole('switch');
    await userEvent.click(control);
    await screen.findByText('Nothing has changed. Busy.');
    expect((control as HTMLInputElement).checked).toBe(false);
    expect(screen.getByText(/Nothing will be charged/)).toBeTruthy();
  });
});

describe('changes', () => {
  const history = (list: Adjustment[]): Server => ({
    [CHANGES]: forId(UUID, () => ({ data: list })),
  });

  test('one that waits can be gone on with; those made are listed', async () => {
    const applied = adjustment({ adjustment_id: 'x', status: 'applied', amount_now: -9.61 });
    hold(() => read(), history([adjustment(), applied]));
    open();
    const link = await screen.findByRole('link', { name: 'Go on with it' });
    expect(link.getAttribute('href')).toBe(`/quote/edit/${UUID}?adjustment=${ADJUSTMENT}`);
    const listed = within(screen.getByRole('region', { name: 'History' }));
    expect(
      listed.getByText(
        '£9.61 was paid back to you. Your bank may need a few working days to show it.',
      ),
    ).toBeTruthy();
    expect(listed.getAllByText('Key cover: No → Yes')).toHaveLength(2);
  });

  test('one that has run out is not', async () => {
    hold(() => read(), history([adjustment({ expires: '2020-01-01T00:00:00Z' })]));
    open();
    await screen.findByRole('link', { name: 'Change cover' });
    expect(screen.queryByRole('link', { name: 'Go on with it' })).toBeNull();
  });

  test('what was removed is one line, without an arrow', async () => {
    const removed = {
      kind: 'removed' as const,
      path: 'vehicles.1',
      label: 'Removed',
      before: 'FX66 KLM, van',
      after: null,
    };
    hold(() => read(), history([adjustment({ status: 'applied', changes: [removed] })]));
    open();
    const line = await screen.findByText(/FX66 KLM/);
    expect(line.textContent).toBe('Removed: FX66 KLM, van');
  });

  test('very many are shown a page at a time, and a page that fails can be asked for again', async () => {
    const applied = (number: number) =>
      adjustment({
        adjustment_id: `made-${number}`,
        status: 'applied',
        created: new Date(Date.UTC(2026, 0, 1, 0, 500 - number)).toISOString(),
      });
    const all = Array.from({ length: 70 }, (_, number) => applied(number));
    let fails = true;
    const calls = hold(() => read(), {
      [CHANGES]: forId(UUID, ({ query }) => {
        const page = Number(query.get('page') ?? 1);
        if (page > 1 && fails) return refuse(503, 'Busy.');
        return { data: all.slice((page - 1) * 50, page * 50) };
      }),
    });
    open();
    const history = within(await screen.findByRole('region', { name: 'History' }));
    expect(history.getAllByRole('heading', { level: 3 })).toHaveLength(50);
    await userEvent.click(history.getByRole('button', { name: 'Show earlier changes' }));
    await history.findByText('Earlier changes could not be loaded.');
    fails = false;
    await userEvent.click(history.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(history.getAllByRole('heading', { level: 3 })).toHaveLength(70));
    expect(history.queryByRole('button')).toBeNull();
    const titles = history.getAllByRole('heading', { level: 3 });
    expect(document.activeElement).toBe(titles[50]?.closest('li'));
    expect(sent(calls, CHANGES).at(-1)?.query.get('page')).toBe('2');
  });

  test('a history that fails to load shows no error', async () => {
    hold(() => read(), { [CHANGES]: () => refuse(400, 'No') });
    open();
    await screen.findByRole('link', { name: 'Change cover' });
    expect(screen.queryByRole('region', { name: 'History' })).toBeNull();
    expect(screen.queryByText('No')).toBeNull();
  });
});

describe('a renewal', () => {
  const policy = () =>
    read(
      term({
        can: may({ renew: true }),
        renewal: {
          quote_uuid: RENEWAL,
          reference: 'BRK100000014',
          status_id: 1,
          price: 79.1,
          price_last_year: 74.48,
          price_new_customer: 81.25,
          starts: COMPARISON.starts,
          holds_until: COMPARISON.starts,
          charge_on: null,
          plan: null,
        },
      }),
    );

  test('is shown beside the current cover’s price and a new customer’s, and why it differs', async () => {
    hold(policy, { [COMPARE]: forId(RENEWAL, () => ({ data: COMPARISON })) });
    open('#renewal');
    await screen.findByText('You may find similar cover for less elsewhere.');
    for (const text of ['£74.48', '£79.10', '£81.25', '+£6.77', '−£2.15', '+£4.62']) {
      expect(screen.getAllByText(text).length).toBeGreaterThan(0);
    }
    expect(screen.getByText(/^Your current cover, until /)).toBeTruthy();
    expect(screen.getByText(/^Your next year, from /)).toBeTruthy();
    expect(screen.getByText(/It doesn't renew by itself/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Renew now' }).getAttribute('href')).toBe(
      `/quote/edit/${RENEWAL}?step=last`,
    );
    await waitFor(() => expect(document.activeElement?.id).toBe('renewal'));
  });

  test('whose prices fail to load says so in its place', async () => {
    let isBroken = true;
    hold(policy, {
      [COMPARE]: forId(RENEWAL, () => (isBroken ? refuse(400, 'No') : { data: COMPARISON })),
    });
    open();
    await screen.findByText('The prices could not be loaded.');
    isBroken = false;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByText('£81.25');
  });
});
