import { readFileSync } from 'node:fs';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { refuse } from '../../../api/testing';
import type { ListItem } from '../../../api/types';
import { snackbar } from '../../../lib/messages/snackbar';
import { serve, show } from '../../../testing/server';
import { List } from './List';
import type { ListMode } from './modes';
import { account, daysFromNow, listQueries, row, rows } from './testing';

const USER = 'ann';

function open(mode: ListMode, status?: boolean) {
  return show({ '/': <List mode={mode} user={USER} status={status} /> }, '/');
}

const texts = (elements: HTMLElement[]) => elements.map((element) => element.textContent);

function narrow() {
  vi.stubGlobal('matchMedia', () => ({
    matches: true,
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
  window.matchMedia = globalThis.matchMedia;
}

const media = window.matchMedia;

beforeEach(() => {
  window.matchMedia = media;
});

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('what a list asks for', () => {
  const cases: [ListMode, string[], string | null, string | null][] = [
    ['policy', ['5', '8', '15', '16'], null, null],
    ['quote', ['1', '2', '7', '14', '30', '31'], null, 'renewal_quote'],
    ['renewal', ['1', '2', '7', '31'], 'renewal_quote', null],
  ];
  test.each(cases)('the %s list', async (mode, statuses, flag, hasNoFlag) => {
    const calls = serve(account(() => []));
    open(mode);
    await waitFor(() => expect(listQueries(calls)).toHaveLength(1));
    const [query] = listQueries(calls);
    expect(query?.get('page')).toBe('0');
    expect(query?.get('limit')).toBe('10');
    expect(query?.get('sortBy')).toBe('id');
    expect(query?.get('desc')).toBe('true');
    expect(query?.getAll('quoteStatus[]')).toEqual(statuses);
    expect(query?.get('flags[]')).toBe(flag);
    expect(query?.get('exclude_flags[]')).toBe(hasNoFlag);
  });
});

/** Reads the dot's colour of a chip with this tone from the stylesheet. */
function colour(tone: string | null): string | undefined {
  const styles = readFileSync('src/features/account/list/rows/StatusChip.module.css', 'utf8');
  const rule = styles.split(`[data-tone="${tone}"] {`)[1]?.split('}')[0];
  return rule?.match(/--tone: (.+);/)?.[1];
}

describe('what a list shows', () => {
  test('each status has the colour of its chip', async () => {
    const ids = [1, 2, 7, 14, 30, 31] as const;
    serve(account(() => ids.map((status_id) => row(status_id, { status_id }))));
    open('quote');
    const table = await screen.findByRole('table');
    const tones = ids.map((id) => {
      const line = within(table).getByText(row(id).custom_id).closest('tr') as HTMLElement;
      return line.querySelector('[data-tone]')?.getAttribute('data-tone') ?? null;
    });
    expect(tones).toEqual(['green', 'amber', 'light-amber', 'light-amber', 'light-green', 'pink']);
    expect(tones.map(colour)).toEqual([
      'var(--mantine-color-green-6)',
      'var(--mantine-color-amber-5)',
      'var(--mantine-color-amber-1)',
      'var(--mantine-color-amber-1)',
      'var(--mantine-color-green-1)',
      '#fbdbe6',
    ]);
  });

  test('a policy: its columns, and the way to it', async () => {
    serve(account(() => [row(1, { amount_total: 1234.5, holder_name: 'Ann Example' })]));
    open('policy');
    const table = await screen.findByRole('table', { name: 'Policies' });
    expect(texts(within(table).getAllByRole('columnheader'))).toEqual([
      'Reference #',
      'Status',
      'Name',
      'Created At',
      'Inception Date',
      'Expires',
      'Premium',
      'Actions',
    ]);
    expect(within(table).getByRole('rowheader').textContent).toBe(
      'LBY000001 Breakdown, AB12 CDE, National cover',
    );
    const created = within(table).getByText('3 days ago');
    expect(created.tagName).toBe('TIME');
    expect(created.getAttribute('title')).toMatch(/^\d\d\/\d\d\/\d{4} \d\d:\d\d$/);
    const cells = texts(within(table).getAllByRole('cell'));
    expect([cells[0], cells[1], ...cells.slice(3, 6)]).toEqual([
      'Live Starts tomorrow',
      'Ann Example',
      '22/11/2026',
      '21/11/2027',
      '£1,234.50',
    ]);
    const pencil = within(table).getByRole('link', { name: 'View policy LBY000001' });
    expect(pencil.getAttribute('href')).toBe('/policy/view/0190f3a1-0000-7000-8000-000000000001');
    expect(screen.getByText('1 policy')).toBeTruthy();
  });

  test('a quote: until when it can be bought, to the minute, and the editor', async () => {
    const expiry = daysFromNow(12.01);
    serve(account(() => [row(1, { status_id: 1, date_quote_expiry: expiry })]));
    open('quote', false);
    const table = await screen.findByRole('table', { name: 'Quotes' });
    expect(texts(within(table).getAllByRole('columnheader'))).toEqual([
      'Reference #',
      'Name',
      'Created At',
      'Inception Date',
      'Quote Expires',
      'Premium',
      'Actions',
    ]);
    const cell = within(table).getByText('in 12 days').closest('td');
    expect(cell?.textContent).toMatch(/^in 12 days \d\d\/\d\d\/\d{4} \d\d:\d\d$/);
    expect(
      within(table).getByRole('link', { name: 'Edit quote LBY000001' }).getAttribute('href'),
    ).toBe('/quote/edit/0190f3a1-0000-7000-8000-000000000001');
  });

  test('what ends at midnight has the day before as its last', async () => {
    serve(account(() => [row(1, { status_id: 1, date_quote_expiry: '2026-12-04T00:00:00Z' })]));
    open('quote', false);
    const table = await screen.findByRole('table', { name: 'Quotes' });
    const cell = within(table).getByText('in 12 days').closest('td');
    expect(cell?.textContent).toBe('in 12 days 03/12/2026');
  });

  test('what ends with today says so', async () => {
    serve(account(() => [row(1, { status_id: 1, date_quote_expiry: '2026-11-22T00:00:00Z' })]));
    open('quote', false);
    const table = await screen.findByRole('table', { name: 'Quotes' });
    const cell = within(table).getByText('today').closest('td');
    expect(cell?.textContent).toBe('today 21/11/2026');
  });

  test('live cover that has begun says no more than that', async () => {
    serve(account(() => [row(1, { cover_begins: '2026-11-21T00:00:00Z' })]));
    open('policy');
    const table = await screen.findByRole('table', { name: 'Policies' });
    expect(within(table).queryByText(/^Starts/)).toBeNull();
    expect(within(table).getByText('Live').dataset.tone).toBe('live');
  });

  test('live cover that begins within its first day says the time, and is not green', async () => {
    const today = { date_inception: '2026-11-21', cover_begins: '2026-11-21T23:30:00Z' };
    serve(account(() => [row(1, today)]));
    open('policy');
    const table = await screen.findByRole('table', { name: 'Policies' });
    expect(within(table).getByText('Starts today, 23:30')).toBeTruthy();
    expect(within(table).getByText('Live').dataset.tone).toBe('coming');
  });

  test('cover that never begins is not green and names no day', async () => {
    serve(account(() => [row(1, { cover_begins: null })]));
    open('policy');
    const table = await screen.findByRole('table', { name: 'Policies' });
    expect(within(table).queryByText(/^Starts/)).toBeNull();
    expect(within(table).getByText('Live').dataset.tone).toBe('coming');
  });

  test('a renewal quote opens in the editor, and says by when to buy it', async () => {
    serve(account(() => [row(1, { status_id: 1, date_quote_expiry: '2026-11-23T00:00:00Z' })]));
    open('renewal');
    const table = await screen.findByRole('table', { name: 'Renewal Quotes' });
    expect(within(table).getByText('Buy by 22/11/2026')).toBeTruthy();
    expect(within(table).getByRole('columnheader', { name: 'Expires' })).toBeTruthy();
    expect(
      within(table).getByRole('link', { name: 'Edit quote LBY000001' }).getAttribute('href'),
    ).toMatch(/^\/quote\/edit\//);
  });

  test('a premium only where one can be paid, and no figure where there is none', async () => {
    const items = [
      row(1, { status_id: 1, amount_total: 41.5 }),
      row(2, { status_id: 2, amount_total: 42.5 }),
      row(3, { status_id: 1, amount_total: 0 }),
      row(4, { status_id: 1, amount_total: null }),
      row(5, { status_id: 31, amount_total: 45.5 }),
      row(6, { status_id: 1, amount_total: 46.5, currency: 'EUR' }),
      row(7, { status_id: 7, amount_total: 47.5 }),
      row(8, { status_id: 30, amount_total: 48.5 }),
      row(9, { status_id: 14, amount_total: 49.5 }),
    ];
    serve(account(() => items));
    open('quote');
    const table = await screen.findByRole('table');
    const premiums = within(table)
      .getAllByRole('row')
      .slice(1)
      .map((tr) => within(tr).getAllByRole('cell')[5]?.textContent);
    const unpaid = ['N/A', 'N/A', 'N/A'];
    expect(premiums).toEqual([...unpaid, '€46.50', 'N/A', '--.--', '--.--', 'N/A', '£41.50']);
  });

  test('amounts as the person likes them', async () => {
    const money = { prefix: false, currency: 'GBP', display: 'GBP', locale: 'en-GB', format: '0' };
    localStorage.setItem(`layby.preferences.${USER}`, JSON.stringify({ money }));
    serve(account(() => [row(1, { amount_total: 1234 })]));
    open('policy');
    await screen.findByText('1234 GBP');
  });

  test('unknown figures and dates', async () => {
    const draft: Partial<ListItem> = {
      status_id: 2,
      holder_name: '',
      date_inception: null,
      amount_total: null,
    };
    serve(account(() => [row(1, draft)]));
    open('quote');
    const table = await screen.findByRole('table');
    const cells = texts(within(table).getAllByRole('cell'));
    expect([cells[1], ...cells.slice(3, 6)]).toEqual(['–', '–', '–', 'N/A']);
  });
});

describe('while a list is loading, and when that fails', () => {
  test('a list is no empty one before 300 ms have passed', async () => {
    serve(account(() => []));
    const start = Date.now();
    open('policy');
    await screen.findByText('Loading policies');
    await screen.findByRole('heading', { name: 'You have no policies yet' });
    expect(Date.now() - start).toBeGreaterThanOrEqual(295);
    expect(screen.getByRole('link', { name: 'Get a quote' }).getAttribute('href')).toBe('/');
    expect(screen.queryByRole('button', { name: /Filter/ })).toBeNull();
    expect(screen.queryByLabelText('Items per page')).toBeNull();
  });

  test.each([
    ['quote', 'You have no quotes waiting', 'Get a quote'],
    ['renewal', 'You have no renewal quotes', 'See your policies'],
  ] as const)('an empty %s list says what to do', async (mode, title, action) => {
    serve(account(() => []));
    open(mode);
    await screen.findByRole('heading', { name: title });
    expect(screen.getByRole('link', { name: action })).toBeTruthy();
  });

  test('a failed load is told in its place and can be tried again; no snackbar', async () => {
    let broken = true;
    serve(
      { 'GET /api/v2/policy/list': () => (broken ? refuse(400, 'No') : undefined) },
      account(() => [row(1)]),
    );
    open('policy');
    await screen.findByText('Your policies could not be loaded.');
    expect(snackbar.get()).toBeNull();
    broken = false;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByText('LBY000001');
    expect(screen.queryByText('Your policies could not be loaded.')).toBeNull();
  });

  test('a page that fails does not pass off the rows of another as its own', async () => {
    serve(
      {
        'GET /api/v2/policy/list': ({ query }) =>
          query.get('page') === '2' ? refuse(400, 'No') : undefined,
      },
      account(() => rows(20)),
    );
    open('policy');
    await userEvent.click(await screen.findByRole('button', { name: 'Next' }));
    await screen.findByText('Your policies could not be loaded.');
    expect(screen.queryByRole('table')).toBeNull();
  });
});

describe('on a phone', () => {
  test('rows are cards with the same facts, and the order is a choice', async () => {
    narrow();
    const calls = serve(account(() => rows(12, { status_id: 1 })));
    open('quote');
    const card = (await screen.findByRole('heading', { name: /LBY000012/ })).closest('li');
    expect(screen.queryByRole('table')).toBeNull();
    expect(texts([...(card as HTMLElement).querySelectorAll('dt')])).toEqual([
      'Name',
      'Created At',
      'Inception Date',
      'Quote Expires',
      'Premium',
    ]);
    expect(within(card as HTMLElement).getByText('Quote')).toBeTruthy();
    expect(
      within(card as HTMLElement).getByRole('link', { name: 'Edit quote LBY000012' }),
    ).toBeTruthy();
    await userEvent.selectOptions(screen.getByLabelText('Sort by'), 'Premium: highest first');
    await waitFor(() => expect(listQueries(calls).at(-1)?.get('sortBy')).toBe('amount_total'));
    expect(listQueries(calls).at(-1)?.get('desc')).toBe('true');
  });
});
