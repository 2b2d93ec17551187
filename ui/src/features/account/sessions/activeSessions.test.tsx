import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { refuse, sent } from '../../../api/testing';
import { visit } from '../../../testing/server';
import { DashboardScreen } from '../overview/DashboardScreen';
import { ANN, openShop, reload } from '../testing';

const LIST = 'GET /api/v1/profile/sessions';
const END = 'POST /api/v1/profile/sessions/end';
const OWN_SESSION = { began: '2026-11-21T12:00:00Z', ends: '2026-12-21T12:00:00Z', own: true };
const OTHER_SESSION = { began: '2026-11-01T08:30:00Z', ends: '2026-12-01T08:30:00Z', own: false };

afterEach(async () => {
  await reload();
  vi.unstubAllGlobals();
});

/**
 * Opens the list of Ann's two sessions on her dashboard. If `broken` is true, the server refuses to
 * end sessions.
 */
async function open(broken = false) {
  let logIns = [OWN_SESSION, OTHER_SESSION];
  const shop = openShop(ANN, {
    [LIST]: () => ({ data: logIns }),
    [END]: () => {
      if (broken) return refuse(503, 'We are busy for a moment. Please try again.');
      logIns = [OWN_SESSION];
      return { data: {} };
    },
  });
  visit({ '/dashboard': <DashboardScreen /> }, '/dashboard');
  const show = await screen.findByRole('button', { name: 'Show Logins' });
  expect(sent(shop.calls, LIST)).toEqual([]);
  await userEvent.click(show);
  const card = within(await screen.findByRole('region', { name: 'Where you are logged in' }));
  return { shop, card };
}

test('each login says since when it is, and all but the own one are ended', async () => {
  const { shop, card } = await open();
  const [own, other] = await card.findAllByRole('listitem');
  expect(own?.textContent).toBe(
    'Since 21/11/2026 12:00, until 21/12/2026 12:00 at the latestThis browser',
  );
  expect(other?.textContent).toBe('Since 01/11/2026 08:30, until 01/12/2026 08:30 at the latest');
  await userEvent.dblClick(card.getByRole('button', { name: 'Log out everywhere else' }));
  await card.findByText('You are logged in nowhere else.');
  expect(sent(shop.calls, END)).toHaveLength(1);
  expect(card.getAllByRole('listitem')).toHaveLength(1);
  expect(card.queryByRole('button')).toBeNull();
  await waitFor(() =>
    expect(document.activeElement).toBe(card.getByRole('list', { name: 'Your logins' })),
  );
  await userEvent.click(screen.getByRole('button', { name: 'Hide Logins' }));
  expect(screen.queryByRole('region', { name: 'Where you are logged in' })).toBeNull();
});

test('where they can not be ended, it says so and keeps the list', async () => {
  const { card } = await open(true);
  await userEvent.click(await card.findByRole('button', { name: 'Log out everywhere else' }));
  await card.findByText(/busy for a moment/);
  expect(card.getAllByRole('listitem')).toHaveLength(2);
});
