import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { refuse, type Server } from '../../../api/testing';
import { serve, visit } from '../../../testing/server';
import { ANN, account, listQueries, row } from '../list/testing';
import { activeReset } from '../password/resetMode';
import { reload } from '../testing';
import { DashboardScreen } from './DashboardScreen';
import { tabOf } from './tabs';

let loggedIn = true;

const NOBODY = refuse(401, 'Nobody');

/** A server where Ann or nobody is logged in. */
const session: Server[] = [
  {
    'POST /api/login': () => {
      loggedIn = true;
      return {};
    },
    'GET /api/logout': () => {
      loggedIn = false;
      return { data: {} };
    },
    'GET /api/v1/profile': () => (loggedIn ? undefined : NOBODY),
    'GET /api/v2/policy/list': () => (loggedIn ? undefined : NOBODY),
  },
  account(() => [row(1), row(2, { status_id: 1 })]),
];

const open = (path: string) => visit({ '/dashboard': <DashboardScreen /> }, path);

const bar = () => screen.getByRole('navigation', { name: 'Your account' });
const tabs = () => within(bar()).getAllByRole('link');
const currentTab = () =>
  tabs()
    .filter((tab) => tab.getAttribute('aria-current') === 'page')
    .map((tab) => tab.textContent);

const ALL = [
  ['Dashboard', '/dashboard'],
  ['Policies', '/dashboard?tab=policies'],
  ['Payments', '/dashboard?tab=payments'],
  ['Quotes', '/dashboard?tab=quotes'],
  ['Renewal Quotes', '/dashboard?tab=renewals'],
];

beforeEach(async () => {
  loggedIn = true;
  await reload();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('each tab has an address of its own, and Back leads through them', async () => {
  serve(...session);
  open('/dashboard');
  await screen.findByRole('link', { name: 'Policies' });
  expect(tabs().map((tab) => [tab.textContent, tab.getAttribute('href')])).toEqual(ALL);
  expect(currentTab()).toEqual(['Dashboard']);
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('My Account');

  await userEvent.click(screen.getByRole('link', { name: 'Policies' }));
  await screen.findByRole('table', { name: 'Policies' });
  await waitFor(() => expect(window.location.search).toBe('?tab=policies'));
  expect(currentTab()).toEqual(['Policies']);
  await waitFor(() => expect(document.title).toMatch(/^Policies/));

  await userEvent.click(screen.getByRole('link', { name: 'Quotes' }));
  await screen.findByRole('table', { name: 'Quotes' });
  expect(screen.queryByText('LBY000001')).toBeNull();
  window.history.back();
  await screen.findByRole('table', { name: 'Policies' });
  expect(currentTab()).toEqual(['Policies']);
});

test('an address that names no tab is the dashboard', async () => {
  expect(['policies', 'quotes', 'renewals'].map(tabOf)).toEqual(['policies', 'quotes', 'renewals']);
  expect([null, '', 'Policies', '__proto__'].map(tabOf)).toEqual(Array(4).fill('dashboard'));
  serve(...session);
  open('/dashboard?tab=nonsense');
  await screen.findByRole('heading', { name: 'My Account', level: 1 });
  expect(currentTab()).toEqual(['Dashboard']);
});

test('logged out there is one tab; the address keeps the other until after login', async () => {
  loggedIn = false;
  const calls = serve(...session);
  open('/dashboard?tab=policies');
  await screen.findByRole('heading', { name: 'Please Log in to proceed' });
  expect(tabs().map((tab) => tab.textContent)).toEqual(['Dashboard']);
  expect(within(bar()).queryByRole('button')).toBeNull();
  expect(listQueries(calls)).toEqual([]);

  await userEvent.type(screen.getByLabelText('Username'), 'ann@example.com');
  await userEvent.type(screen.getByLabelText('Password'), 'Secret-123');
  await userEvent.keyboard('{Enter}');
  await screen.findByRole('table', { name: 'Policies' });
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Policies' }));
  await waitFor(() => expect(window.location.search).toBe('?tab=policies'));
  await waitFor(() =>
    expect(localStorage.getItem(`layby.preferences.${ANN.user_uuid}`)).toContain('MM/dd/yyyy'),
  );
});

test('logout takes the lists away and selects the dashboard', async () => {
  serve(...session);
  open('/dashboard?tab=policies');
  await screen.findByText('LBY000001');
  await userEvent.click(within(bar()).getByRole('button', { name: 'Logout' }));
  await screen.findByRole('heading', { name: 'Please Log in to proceed' });
  expect(screen.queryByText('LBY000001')).toBeNull();
  await waitFor(() => expect(window.location.search).toBe(''));
});

test('a session that ended shows the way in, and comes back to the tab', async () => {
  window.history.replaceState(null, '', '/dashboard');
  serve(...session);
  open('/dashboard');
  await screen.findByRole('link', { name: 'Policies' });
  loggedIn = false;
  await userEvent.click(screen.getByRole('link', { name: 'Policies' }));
  await screen.findByRole('heading', { name: 'Please Log in to proceed' });
  await waitFor(() => expect(window.location.search).toBe('?tab=policies'));
  window.history.replaceState(null, '', '/');
});

test('while a password is being reset the lists are out of reach', async () => {
  loggedIn = false;
  serve(...session);
  activeReset.set({
    aid: 'secret',
    profile: {
      email_primary: 'ann@example.com',
      first_name: 'Ann',
      identifier: 'ann',
      last_name: 'Example',
      user_username: 'ann@example.com',
      new_user: false,
    },
  });
  open('/dashboard?tab=quotes');
  await waitFor(() => expect(tabs().map((tab) => tab.textContent)).toEqual(['Dashboard']));
});

test('whoever was sent here to log in goes back, but never to another shop', async () => {
  serve(...session);
  const sent = (to: string) =>
    visit(
      { '/dashboard': <DashboardScreen />, '/elsewhere': <p>Elsewhere</p> },
      `/dashboard?state=${encodeURIComponent(to)}`,
    );
  sent('/elsewhere');
  await screen.findByText('Elsewhere');
  cleanup();
  for (const state of ['//evil.example', '/\\evil.example', 'https://evil.example']) {
    sent(state);
    await screen.findByRole('heading', { name: 'My Account' });
    await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
    cleanup();
  }
});
