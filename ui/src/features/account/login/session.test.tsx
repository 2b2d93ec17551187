import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followOtherTabs, login } from '../../../api/session/session';
import { type Reply, refuse, sent } from '../../../api/testing';
import { readDraft, readLastQuote, writeDraft, writeLastQuote } from '../../../form/answers/draft';
import { AccountMenu } from '../../../layout/AccountMenu';
import { saveToken, tokenFor } from '../../../lib/storage/tokens';
import { savedQuote } from '../../../testing/data';
import { visit } from '../../../testing/server';
import { DashboardScreen } from '../overview/DashboardScreen';
import { ANN, BOB, openShop, reload } from '../testing';

const LOGIN = 'POST /api/login';
const ADOPT = 'POST /api/v1/quote/{id}/adopt';

const ROUTES = {
  '/dashboard': (
    <>
      <AccountMenu />
      <DashboardScreen />
    </>
  ),
  '/elsewhere': <AccountMenu />,
  '/': <p>The quote start</p>,
  '/retrieve-password': <p>Forgotten</p>,
};

const OWN_QUOTE = '0197f3c2-0000-7000-8000-000000000001';
const THEIRS = '0197f3c2-0000-7000-8000-000000000002';
const LOST_QUOTE = '0197f3c2-0000-7000-8000-000000000003';
const OLD = '0197f3c2-0000-7000-8000-000000000004';

beforeEach(reload);
afterEach(() => {
  vi.unstubAllGlobals();
});

const button = (name: string) => screen.getByRole('button', { name }) as HTMLButtonElement;

async function logIn(username: string, password = 'secret') {
  await userEvent.type(await screen.findByLabelText('Username'), username);
  await userEvent.type(screen.getByLabelText('Password'), `${password}{Enter}`);
}

async function openMenu() {
  await userEvent.click(await screen.findByRole('button', { name: 'My Account' }));
}

test('the login is kept on this device unless that is not wanted', async () => {
  const { calls } = openShop(null);
  visit(ROUTES, '/elsewhere');
  await openMenu();
  const keep = await screen.findByRole('checkbox', { name: 'Keep me logged in on this device' });
  expect((keep as HTMLInputElement).checked).toBe(true);
  await userEvent.click(keep);
  await logIn('ann@example.com');
  await screen.findByText('Hello');
  expect(sent(calls, LOGIN)[0]?.body).toEqual({
    username: 'ann@example.com',
    password: 'secret',
    remember: false,
  });
});

test('the forgotten password has its page, and the panel closes on the way', async () => {
  openShop(null);
  visit(ROUTES, '/elsewhere');
  await openMenu();
  await userEvent.click(
    await screen.findByRole('link', { name: 'Forgotten password, click here' }),
  );
  await waitFor(() => expect(window.location.pathname).toBe('/retrieve-password'));
});

test('a refused login says why and how long to wait, and keeps what was typed', async () => {
  let reply: Reply<typeof LOGIN>;
  openShop(null, { [LOGIN]: () => reply });
  visit(ROUTES, '/elsewhere');
  await openMenu();
  await logIn('ann@example.com', 'wrong');
  const alert = await screen.findByText('The username or password is not right.');
  expect(alert.closest('[role="alert"]')).toBeTruthy();
  expect((screen.getByLabelText('Password') as HTMLInputElement).value).toBe('wrong');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Password')));

  reply = refuse(429, 'Too many tries.', { retryAfter: 90 });
  await userEvent.click(button('Login'));
  await screen.findByText('That was too many tries. Please wait 2 minutes and try again.');
});

test('a browser that keeps no cookie is told so, and loses no quote', async () => {
  saveToken(OWN_QUOTE, 'token');
  const { calls } = openShop(null, { [LOGIN]: () => ({}) });
  visit(ROUTES, '/elsewhere');
  await openMenu();
  await logIn('ann@example.com');
  await screen.findByText(/did not keep the login. Please allow cookies/);
  expect(tokenFor(OWN_QUOTE)).toBe('token');
  expect(sent(calls, ADOPT)).toEqual([]);
});

test('what has the mailbox of the account joins it; no token is lost that still opens something', async () => {
  saveToken(OWN_QUOTE, 'mine');
  saveToken(THEIRS, 'theirs');
  saveToken(LOST_QUOTE, 'gone');
  saveToken(OLD, 'old');
  const ownership = { [OWN_QUOTE]: 'auto_claimable', [THEIRS]: 'claimable' } as const;
  const { calls } = openShop(null, {
    'GET /api/v2/public/quote/read/{id}': ({ params }) => {
      const account = ownership[params.id as keyof typeof ownership];
      if (!account) return refuse(401, 'Unauthorised');
      return { data: savedQuote(params.id, 'BRK1', { account }) };
    },
    'GET /api/v1/policy/{id}/documents': ({ params }) =>
      params.id === OLD
        ? { data: { documents: [], revisions: {}, external: [] } }
        : refuse(401, 'Unauthorised'),
    [ADOPT]: ({ params }) => ({ data: { uuid: params.id } }),
  });
  visit(ROUTES, '/elsewhere');
  await openMenu();
  await logIn('ann@example.com');
  await screen.findByText('Hello');
  await waitFor(() => expect(tokenFor(LOST_QUOTE)).toBeNull());
  await waitFor(() => expect(tokenFor(OWN_QUOTE)).toBeNull());
  expect(tokenFor(THEIRS)).toBe('theirs');
  // A token that no longer reads the quote may still open the documents of the policy.
  expect(tokenFor(OLD)).toBe('old');
  const [adopted, ...more] = sent(calls, ADOPT);
  expect(more).toEqual([]);
  expect(adopted?.params.id).toBe(OWN_QUOTE);
  expect(adopted?.headers.get('Authorization')).toBe('Bearer mine');
});

test('logging out leaves no token and nothing that was typed in the browser', async () => {
  openShop(ANN, {
    'GET /api/v2/public/quote/read/{id}': () => refuse(401, 'Unauthorised'),
  });
  visit(ROUTES, '/elsewhere');
  saveToken(THEIRS, 'theirs');
  writeDraft('breakdown', { answers: { values: { last_name: 'Ann' }, multi: {} } });
  writeDraft(THEIRS, { answers: { values: { last_name: 'Ann' }, multi: {} }, revision: 1 });
  writeLastQuote('breakdown', { uuid: THEIRS, custom_id: 'LB-1' });
  await openMenu();
  await userEvent.click(await screen.findByRole('button', { name: 'Logout' }));
  await waitFor(() => expect(tokenFor(THEIRS)).toBeNull());
  expect(readDraft('breakdown')).toBeNull();
  expect(readDraft(THEIRS)).toBeNull();
  expect(readLastQuote('breakdown')).toBeNull();
});

test('logging out on the dashboard selects its first section again and shows nobody', async () => {
  openShop(ANN);
  visit(ROUTES, '/dashboard?tab=quotes');
  await openMenu();
  await screen.findByText('Hello');
  const panel = screen.getByRole('region', { name: 'My Account' });
  await userEvent.click(panel.querySelector('button:last-child') as HTMLElement);
  await screen.findByRole('heading', { name: 'Please Log in to proceed' });
  await waitFor(() => expect(window.location.search).toBe(''));
  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
  for (const username of screen.getAllByLabelText('Username')) {
    expect((username as HTMLInputElement).value).toBe('');
  }
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'User login' })),
  );
});

test('View Details leads to the dashboard, with its menu open beside the details', async () => {
  openShop(ANN);
  visit(ROUTES, '/elsewhere');
  await openMenu();
  await userEvent.click(await screen.findByRole('button', { name: 'View Details' }));
  const bar = within(await screen.findByRole('navigation', { name: 'Your account' }));
  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
  expect(bar.getAllByRole('link').map((tab) => tab.textContent)).toEqual([
    'Dashboard',
    'Policies',
    'Payments',
    'Quotes',
    'Renewal Quotes',
  ]);
  expect(screen.queryByRole('button', { name: 'View Details' })).toBeNull();
});

test('a login that is refused leaves nobody logged in', async () => {
  openShop(ANN);
  visit(ROUTES, '/dashboard');
  await screen.findByText('Bond');
  const wrong = { username: 'ann@example.com', password: 'wrong', remember: true };
  await act(() => expect(login(wrong)).rejects.toThrow('The username or password is not right.'));
  await screen.findByRole('heading', { name: 'Please Log in to proceed' });
  expect(screen.queryByText('Bond')).toBeNull();
});

test('logging out elsewhere goes to the start', async () => {
  openShop(ANN);
  visit(ROUTES, '/elsewhere');
  await openMenu();
  await userEvent.click(await screen.findByRole('button', { name: 'Logout' }));
  await waitFor(() => expect(window.location.pathname).toBe('/'));
});

test('whoever logs in next sees nothing of the one before, not even for a moment', async () => {
  openShop(ANN);
  visit(ROUTES, '/dashboard');
  await screen.findByText('Bond');
  const seen: string[] = [];
  const watch = new MutationObserver(() => seen.push(document.body.textContent ?? ''));
  await userEvent.click(button('Logout'));
  await screen.findByRole('heading', { name: 'Please Log in to proceed' });
  watch.observe(document.body, { childList: true, subtree: true, characterData: true });
  await logIn('bob@example.com');
  await screen.findByText('Bob');
  watch.disconnect();
  expect(seen.length).toBeGreaterThan(0);
  for (const text of seen) expect(text).not.toMatch(/ann@example\.com|\bAnn\b/);
});

test('a login in another tab is followed', async () => {
  const shop = openShop(ANN);
  visit(ROUTES, '/dashboard');
  await screen.findByText('Ann');
  const stop = followOtherTabs(() => ANN.user_uuid);
  shop.person = BOB;
  window.dispatchEvent(new StorageEvent('storage', { key: 'layby.session' }));
  await screen.findByText('Bob');
  expect(screen.queryByText('Ann')).toBeNull();
  stop();
});

test('a signal of another tab changes nothing while nobody can be asked who is logged in', async () => {
  const shop = openShop(ANN, {
    'GET /api/v1/profile': () => (down ? refuse(503, 'We are stopping.') : undefined),
  });
  let down = false;
  visit(ROUTES, '/dashboard');
  await screen.findByText('Ann');
  const stop = followOtherTabs(() => ANN.user_uuid);
  down = true;
  window.dispatchEvent(new StorageEvent('storage', { key: 'layby.session' }));
  await waitFor(() => expect(sent(shop.calls, 'GET /api/v1/profile')).toHaveLength(2));
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(screen.getByText('Ann')).toBeTruthy();
  stop();
});
