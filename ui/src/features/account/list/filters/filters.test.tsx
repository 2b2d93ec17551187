import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { serve, show } from '../../../../testing/server';
import { List } from '../List';
import type { ListMode } from '../modes';
import { account, listQueries, row, rows } from '../testing';

const USER = 'ann';
const KEY = `layby.pagination.${USER}.dashboard-policies`;

const open = (user = USER, mode: ListMode = 'policy') =>
  show({ '/': <List mode={mode} user={user} /> }, '/');

const stored = () => JSON.parse(localStorage.getItem(KEY) ?? '{}');

afterEach(() => {
  vi.unstubAllGlobals();
});

test('a name is asked for once it is typed, from the first page on', async () => {
  const items = [...rows(12), row(13, { holder_name: 'Zoe Example' })];
  const calls = serve(account(() => items));
  open();
  await userEvent.click(await screen.findByRole('button', { name: 'Page 2' }));
  await screen.findByText('Showing 11 to 13 of 13 policies');
  const filter = screen.getByRole('button', { name: 'Filter' });
  expect(filter.getAttribute('aria-expanded')).toBe('false');
  await userEvent.click(filter);
  const before = listQueries(calls).length;
  await userEvent.type(screen.getByLabelText('Name'), 'zoe ');
  await screen.findByText('1 policy');
  expect(screen.getByText('Zoe Example')).toBeTruthy();
  const queries = listQueries(calls).slice(before);
  expect(queries.map((query) => [query.get('policyHolder'), query.get('page')])).toEqual([
    ['zoe', '0'],
  ]);
  expect(screen.getByRole('button', { name: 'Filter (1 in use)' })).toBeTruthy();
});

test('Enter does not wait', async () => {
  const calls = serve(account(() => rows(3)));
  open();
  await userEvent.click(await screen.findByRole('button', { name: 'Filter' }));
  await userEvent.type(screen.getByLabelText('Reference #'), '02{Enter}');
  expect(listQueries(calls).at(-1)?.get('policyID')).toBe('02');
  await screen.findByText('1 policy');
});

test('one product of those on sale', async () => {
  const calls = serve(account(() => rows(3)));
  open();
  await userEvent.click(await screen.findByRole('button', { name: 'Filter' }));
  await userEvent.selectOptions(await screen.findByLabelText('Product'), 'Gadget cover');
  await waitFor(() => expect(listQueries(calls).at(-1)?.get('productID')).toBe('gadget'));
  expect(stored().filter.products).toEqual(['gadget']);
  await userEvent.selectOptions(screen.getByLabelText('Product'), 'All products');
  expect(stored().filter.products).toEqual([]);
});

test('a filter with one choice is not shown', async () => {
  serve(
    {
      'GET /api/v2/product/list': () => [
        { identifier: 'breakdown', product_title: 'Vehicle breakdown cover' },
      ],
      'GET /api/v1/quote/statuses': () => ({ data: [{ status_id: 5, status_title: 'Live' }] }),
    },
    account(() => rows(3)),
  );
  open();
  await userEvent.click(await screen.findByRole('button', { name: 'Filter' }));
  expect(screen.getByLabelText('Reference #')).toBeTruthy();
  expect(screen.queryByLabelText('Product')).toBeNull();
  expect(screen.queryByRole('group', { name: 'Status' })).toBeNull();
});

test("statuses: only this list's, and never none", async () => {
  const calls = serve(account(() => [row(1), row(2, { status_id: 8 })]));
  open();
  await userEvent.click(await screen.findByRole('button', { name: 'Filter' }));
  const group = await screen.findByRole('group', { name: 'Status' });
  const chips = () =>
    within(group)
      .getAllByRole('button')
      .map((chip) => `${chip.textContent} ${chip.getAttribute('aria-pressed')}`);
  expect(chips()).toEqual([
    'All true',
    'Live false',
    'Cancelled false',
    'Expired false',
    'Renewed false',
  ]);
  const press = (name: string) => userEvent.click(within(group).getByRole('button', { name }));
  const statuses = () => listQueries(calls).at(-1)?.getAll('quoteStatus[]');

  await press('Cancelled');
  await screen.findByText('1 policy');
  expect(statuses()).toEqual(['8']);
  await press('Live');
  expect(chips().slice(0, 3)).toEqual(['All false', 'Live true', 'Cancelled true']);
  await waitFor(() => expect(statuses()).toEqual(['5', '8']));
  await press('Live');
  await press('Cancelled');
  expect(chips()[0]).toBe('All true');
  expect(stored().filter.statuses).toEqual([5, 8, 15, 16]);
});

describe('ended quotes and policies', () => {
  const chips = (group: HTMLElement) =>
    within(group)
      .getAllByRole('button')
      .map((chip) => chip.textContent);

  test('a lapsed quote is found by its status, though nothing else is there', async () => {
    const calls = serve(account(() => [row(1, { status_id: 32 })]));
    open(USER, 'quote');
    await screen.findByRole('heading', { name: 'You have no quotes waiting' });
    expect(listQueries(calls)[0]?.getAll('quoteStatus[]')).toEqual([
      '1',
      '2',
      '7',
      '14',
      '30',
      '31',
    ]);
    await userEvent.click(screen.getByRole('button', { name: 'Filter' }));
    const group = await screen.findByRole('group', { name: 'Status' });
    const usual = within(group).getByRole('button', { name: 'Usual' });
    expect(usual.getAttribute('aria-pressed')).toBe('true');
    await userEvent.click(within(group).getByRole('button', { name: 'Lapsed' }));
    await screen.findByText('1 quote');
    expect(listQueries(calls).at(-1)?.getAll('quoteStatus[]')).toEqual(['32']);
    await userEvent.click(usual);
    await screen.findByRole('heading', { name: 'You have no quotes waiting' });
  });

  test('of renewals just the statuses are offered that a renewal can have', async () => {
    const calls = serve(account(() => [row(1, { status_id: 31 }), row(2, { status_id: 14 })]));
    open(USER, 'renewal');
    // The default list contains the declined renewal quote, but not the renewal quote that was not
    // taken up.
    await screen.findByText('1 renewal quote');
    expect(listQueries(calls)[0]?.getAll('quoteStatus[]')).toEqual(['1', '2', '7', '31']);
    await userEvent.click(screen.getByRole('button', { name: 'Filter' }));
    const group = await screen.findByRole('group', { name: 'Status' });
    expect(chips(group)).toEqual([
      'Usual',
      'Quote',
      'Draft',
      'Referred',
      'Declined',
      'Not taken up',
      'Lapsed',
    ]);
    await userEvent.click(within(group).getByRole('button', { name: 'Not taken up' }));
    await screen.findByText('LBY000002');
    expect(listQueries(calls).at(-1)?.getAll('quoteStatus[]')).toEqual(['14']);
  });
});

test('a product is chosen by its title and asked for by its identifier', async () => {
  const calls = serve(account(() => rows(2)));
  open();
  await userEvent.click(await screen.findByRole('button', { name: 'Filter' }));
  const products = await screen.findByLabelText<HTMLSelectElement>('Product');
  expect([...products.options].map(({ text, value }) => [text, value])).toEqual([
    ['All products', ''],
    ['Vehicle breakdown cover', 'breakdown'],
    ['Gadget cover', 'gadget'],
  ]);
  await userEvent.selectOptions(products, 'Gadget cover');
  await waitFor(() => expect(listQueries(calls).at(-1)?.get('productID')).toBe('gadget'));
  expect(stored().filter.products).toEqual(['gadget']);
});

test('where nothing matches, the filters can be cleared, and the focus stays in the list', async () => {
  serve(account(() => rows(2)));
  open();
  await userEvent.click(await screen.findByRole('button', { name: 'Filter' }));
  await userEvent.type(screen.getByLabelText('Name'), 'nobody');
  await screen.findByRole('heading', { name: 'Nothing matches these filters' });
  await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
  await screen.findByText('Showing 1 to 2 of 2 policies');
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Policies' })),
  );
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('');
});

test('settings are kept under their names, and found again', async () => {
  serve(account(() => rows(23)));
  open();
  await userEvent.click(await screen.findByRole('button', { name: 'Page 2' }));
  await screen.findByText('Showing 11 to 20 of 23 policies');
  expect(stored()).toEqual({
    descending: true,
    filter: {
      policyHolder: '',
      policyReference: '',
      products: [],
      statuses: [5, 8, 15, 16],
    },
    page: 2,
    rowsPerPage: 10,
    rowsPerPageItems: [10],
    sortBy: 'id',
    totalItems: 23,
    totalPages: 3,
  });
  cleanup();
  const calls = serve(account(() => rows(23)));
  open();
  await waitFor(() => expect(listQueries(calls)[0]?.get('page')).toBe('2'));

  // Another list has its own filters.
  const others = serve(account(() => rows(23, { status_id: 1 })));
  open(USER, 'quote');
  await waitFor(() => expect(listQueries(others)[0]?.get('page')).toBe('0'));
  await screen.findByRole('table', { name: 'Quotes' });
  const own = JSON.parse(localStorage.getItem(`layby.pagination.${USER}.dashboard-quotes`) ?? '{}');
  expect([own.page, stored().page]).toEqual([0, 2]);
});

test('a filter of the last visit is in sight', async () => {
  localStorage.setItem(KEY, JSON.stringify({ filter: { policyHolder: 'Holder 2' } }));
  const calls = serve(account(() => rows(3)));
  open();
  expect((await screen.findByLabelText<HTMLInputElement>('Name')).value).toBe('Holder 2');
  expect(listQueries(calls)[0]?.get('policyHolder')).toBe('Holder 2');
});

test('a filter is not shown to the next person at this computer', async () => {
  localStorage.setItem(KEY, JSON.stringify({ filter: { policyHolder: 'Holder 2' } }));
  const calls = serve(account(() => rows(3)));
  open('bob');
  await screen.findByText('Showing 1 to 3 of 3 policies');
  expect(listQueries(calls)[0]?.get('policyHolder')).toBeNull();
  expect(screen.queryByLabelText('Name')).toBeNull();
});
