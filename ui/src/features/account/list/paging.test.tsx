import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Server } from '../../../api/testing';
import { serve, show } from '../../../testing/server';
import { List } from './List';
import type { ListMode } from './modes';
import { account, listQueries, row, rows } from './testing';

const USER = 'ann';

const open = (mode: ListMode) => show({ '/': <List mode={mode} user={USER} /> }, '/');

/** Builds a server that delays its responses for one page after `hold`, until `release`. */
function holding(heldPage: string) {
  let release = () => {};
  let gate = Promise.resolve();
  return {
    server: {
      'GET /api/v2/policy/list': async ({ query }) => {
        if (query.get('page') === heldPage) await gate;
        return undefined;
      },
    } satisfies Server,
    hold: () => {
      gate = new Promise((resolve) => {
        release = resolve;
      });
    },
    release: () => release(),
  };
}

const texts = (elements: HTMLElement[]) => elements.map((element) => element.textContent);

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('pages', () => {
  test('ten at a time; the old rows stay, marked as waiting, until the new are there', async () => {
    const second = holding('2');
    const calls = serve(
      second.server,
      account(() => rows(23)),
    );
    open('policy');
    await screen.findByText('Showing 1 to 10 of 23 policies');
    const size = screen.getByLabelText<HTMLSelectElement>('Items per page');
    expect([size.value, size.disabled]).toEqual(['10', true]);
    expect(screen.getByText('LBY000023')).toBeTruthy();

    second.hold();
    await userEvent.click(screen.getByRole('button', { name: 'Next' }));
    await waitFor(() => expect(listQueries(calls).at(-1)?.get('page')).toBe('2'));
    expect(screen.getByText('LBY000023')).toBeTruthy();
    expect(screen.getByRole('table').closest('[aria-busy="true"]')).toBeTruthy();
    second.release();
    await screen.findByText('Showing 11 to 20 of 23 policies');
    expect(screen.queryByText('LBY000023')).toBeNull();
    expect(screen.getByRole('table').closest('[aria-busy="true"]')).toBeNull();
    expect(screen.getByRole('button', { name: 'Page 2' }).getAttribute('aria-current')).toBe(
      'page',
    );
  });

  test('the buttons at the first and last page keep the focus and do nothing', async () => {
    const calls = serve(account(() => rows(11)));
    open('policy');
    const next = await screen.findByRole('button', { name: 'Next' });
    await userEvent.click(next);
    await screen.findByText('Showing 11 to 11 of 11 policies');
    await waitFor(() => expect(document.activeElement).toBe(next));
    expect(next.getAttribute('aria-disabled')).toBe('true');
    const before = listQueries(calls).length;
    await userEvent.click(next);
    expect(listQueries(calls)).toHaveLength(before);
  });

  test('an answer that comes late is never shown over a newer one', async () => {
    const second = holding('2');
    serve(
      second.server,
      account(() => rows(33)),
    );
    open('policy');
    await screen.findByText('Showing 1 to 10 of 33 policies');
    second.hold();
    await userEvent.click(screen.getByRole('button', { name: 'Page 2' }));
    await userEvent.click(screen.getByRole('button', { name: 'Page 3' }));
    await screen.findByText('Showing 21 to 30 of 33 policies');
    second.release();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(screen.getByText('Showing 21 to 30 of 33 policies')).toBeTruthy();
    expect(screen.queryByText('LBY000023')).toBeNull();
  });

  test('when rows went away, the last page that is left', async () => {
    let count = 21;
    const calls = serve(account(() => rows(count)));
    open('policy');
    await userEvent.click(await screen.findByRole('button', { name: 'Page 2' }));
    await screen.findByText('Showing 11 to 20 of 21 policies');
    count = 14;
    await userEvent.click(screen.getByRole('button', { name: 'Page 3' }));
    await screen.findByText('Showing 11 to 14 of 14 policies');
    expect(listQueries(calls).map((query) => query.get('page'))).toContain('3');
    expect(screen.queryByText('You have no policies yet')).toBeNull();
  });
});

describe('order', () => {
  const heading = (name: string) => screen.getByRole('columnheader', { name });

  test('a heading sorts upwards, downwards, then newest first again', async () => {
    const calls = serve(account(() => rows(12)));
    open('policy');
    await userEvent.click(await screen.findByRole('button', { name: 'Page 2' }));
    await screen.findByText('Showing 11 to 12 of 12 policies');
    expect(heading('Name').getAttribute('aria-sort')).toBe('none');

    const button = within(heading('Name')).getByRole('button');
    const orders: [string, string, string][] = [
      ['holder_name', 'false', 'ascending'],
      ['holder_name', 'true', 'descending'],
      ['id', 'true', 'none'],
    ];
    for (const [sortBy, desc, sorted] of orders) {
      await userEvent.click(button);
      await waitFor(() => expect(heading('Name').getAttribute('aria-sort')).toBe(sorted));
      await screen.findByText('Showing 1 to 10 of 12 policies');
      const stored = JSON.parse(
        localStorage.getItem(`layby.pagination.${USER}.dashboard-policies`) ?? '',
      );
      expect([stored.sortBy, String(stored.descending), stored.page]).toEqual([sortBy, desc, 0]);
    }
    const queries = listQueries(calls).map(
      (query) => `${query.get('sortBy')} ${query.get('desc')}`,
    );
    expect(queries).toContain('holder_name false');
    expect(queries).toContain('holder_name true');
  });

  test('every column that is shown can be sorted by', async () => {
    serve(account(() => [row(1, { status_id: 1 })]));
    open('quote');
    const table = await screen.findByRole('table');
    expect(texts(within(table).getAllByRole('button'))).toEqual([
      'Reference #',
      'Status',
      'Name',
      'Created At',
      'Inception Date',
      'Quote Expires',
      'Premium',
    ]);
  });
});
