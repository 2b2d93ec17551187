import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { refuse, type Server, sent } from '../../../api/testing';
import type { ListItem } from '../../../api/types';
import { visit } from '../../../testing/server';
import { row } from '../list/testing';
import { DashboardScreen } from '../overview/DashboardScreen';
import { ANN, openShop, reload } from '../testing';

const CLAIM = 'POST /api/v1/quote/waiting';
const QUOTES = [
  row(1, { status_id: 1, holder_name: 'Ann Bond', amount_total: 41.5 }),
  row(2, { status_id: 2, holder_name: 'Mallory <b>Smith</b>', amount_total: null }),
];

afterEach(async () => {
  await reload();
  vi.unstubAllGlobals();
});

/** Opens Ann's dashboard. The server lists `QUOTES` until the customer answers. */
function open(own: Server = {}) {
  let waiting: ListItem[] = QUOTES;
  const shop = openShop(ANN, {
    ...own,
    'GET /api/v1/quote/waiting': () => ({ data: waiting }),
    [CLAIM]: (call) => {
      const refused = own[CLAIM]?.(call as never);
      if (refused) return refused as never;
      waiting = [];
      return { data: [] };
    },
  });
  visit({ '/dashboard': <DashboardScreen /> }, '/dashboard');
  return shop;
}

const findPanel = async () =>
  within(await screen.findByRole('region', { name: 'Are these quotes yours?' }));

test('the customer ticks those that are theirs, by keyboard too', async () => {
  const shop = open();
  const panel = await findPanel();
  expect(panel.getByText(/ann@example\.com/)).toBeTruthy();
  const [own, planted] = panel.getAllByRole('checkbox');
  expect(panel.getByText(/^for Ann Bond, saved on .*, £41\.50$/)).toBeTruthy();
  expect(panel.getByText(/^for Mallory <b>Smith<\/b>, saved on [\d/]+$/)).toBeTruthy();
  // No quote is selected in advance.
  expect(own).toHaveProperty('checked', false);
  expect(planted).toHaveProperty('checked', false);
  await userEvent.click(panel.getByRole('button', { name: 'Add to my account' }));
  expect(sent(shop.calls, CLAIM)).toHaveLength(0);
  own?.focus();
  await userEvent.keyboard(' ');
  await userEvent.click(panel.getByRole('button', { name: 'Add to my account' }));
  await screen.findByText('The quote is in your account now.');
  expect(sent(shop.calls, CLAIM)[0]?.body).toEqual({ quotes: [QUOTES[0]?.policy_uuid] });
  await waitFor(() =>
    expect(screen.queryByRole('region', { name: 'Are these quotes yours?' })).toBeNull(),
  );
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'My Account' }));
});

test('none of them is theirs', async () => {
  const shop = open();
  await userEvent.click((await findPanel()).getByRole('button', { name: 'None of them is mine' }));
  await screen.findByText('We will not ask about these quotes again.');
  expect(sent(shop.calls, CLAIM)[0]?.body).toEqual({ quotes: [] });
});

test('what fails is said, and can be tried again', async () => {
  open({ [CLAIM]: () => refuse(503, 'Busy.') });
  const panel = await findPanel();
  await userEvent.click(panel.getByRole('button', { name: 'None of them is mine' }));
  await panel.findByText('Busy.');
  expect(panel.getAllByRole('checkbox')).toHaveLength(2);
});
