import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { forId, type Handler, refuse, type Server, sent } from '../../../api/testing';
import { storeLoginTarget } from '../../../lib/session/loginTarget';
import { notifyOtherTabs } from '../../../lib/session/mayBeLoggedIn';
import { saveToken, tokenFor } from '../../../lib/storage/tokens';
import { visit } from '../../../testing/server';
import { DashboardScreen } from '../overview/DashboardScreen';
import { ANN, openShop, reload, Shell } from '../testing';
import { ResetScreen } from './ResetScreen';
import { newUser } from './resetMode';

const ROUTES = {
  '/dashboard': (
    <Shell>
      <DashboardScreen />
    </Shell>
  ),
  '/reset-password': <ResetScreen />,
  '/policy/view/1': <p>The policy</p>,
};

const GOOD = 'Abcdef1!';
const DONE = 'Your Password has been successfully changed!';

beforeEach(reload);
afterEach(() => {
  vi.unstubAllGlobals();
});

const button = (name: string) => screen.getByRole('button', { name }) as HTMLButtonElement;
const type = (label: string, text: string) => userEvent.type(screen.getByLabelText(label), text);

describe('the mailed link', () => {
  const INFO = {
    email_primary: 'bob@example.com',
    first_name: 'Bob',
    identifier: 'id-1',
    last_name: 'Stone',
    user_username: 'bob@example.com',
    new_user: false,
  };

  const OPEN = 'GET /api/v1/password/{aid}/info';
  const RESET = 'POST /api/v1/password/{aid}/reset';

  const linked = (reset: Handler<typeof RESET> = () => ({ data: {} })): Server => ({
    [OPEN]: forId('aid-1', () => ({ data: INFO })),
    [RESET]: forId('aid-1', reset),
  });

  test('of a new customer sets a password, and does not reset one', async () => {
    openShop(null, {
      ...linked(),
      [OPEN]: forId('aid-1', () => ({ data: { ...INFO, new_user: true } })),
    });
    visit(ROUTES, '/reset-password?aid=aid-1');
    await screen.findByRole('heading', { name: 'Set a password', level: 1 });
    await waitFor(() => expect(document.title).toBe('Set a password'));
    await type('New Password', GOOD);
    await type('Confirm New Password', GOOD);
    await userEvent.click(button('Set Password'));
    await screen.findByRole('heading', { name: 'Your password is set!', level: 1 });
    expect(document.body.textContent).not.toMatch(/reset/i);
  });

  test('leaves a visitor who was not logged in their tokens', async () => {
    openShop(null, linked());
    saveToken('q1', 'token');
    visit(ROUTES, '/reset-password?aid=aid-1');
    await screen.findByRole('heading', { name: 'Reset password', level: 1 });
    expect(tokenFor('q1')).toBe('token');
  });

  test('logs out whoever was here and shows whose password it is', async () => {
    const shop = openShop(ANN, linked());
    notifyOtherTabs();
    saveToken('q1', 'token');
    const router = visit(ROUTES, '/reset-password?aid=aid-1');
    await screen.findByRole('heading', { name: 'Reset password', level: 1 });
    await waitFor(() => expect(window.location.search).toBe(''));
    await waitFor(() => expect(sessionStorage.getItem('layby.reset')).toBe('"aid-1"'));
    expect(shop.person).toBeNull();
    expect(newUser.get()).toBe('bob@example.com');
    await waitFor(() => expect(tokenFor('q1')).toBeNull());
    expect(screen.getAllByRole('term').map((term) => term.textContent)).toEqual([
      'First Name',
      'Last Name',
      'Email Address',
      'Username',
    ]);
    expect(button('Reset Password').disabled).toBe(true);

    // The dashboard shows the reset card and no lists.
    await router.navigate('/dashboard');
    await screen.findByRole('heading', { name: 'Reset password' });
    expect(screen.queryByRole('link', { name: 'Policies' })).toBeNull();
  });

  test('survives a reload, and ends with a login under the new password', async () => {
    const { calls } = openShop(null, linked());
    sessionStorage.setItem('layby.reset', '"aid-1"');
    visit(ROUTES, '/reset-password');
    await screen.findByText('Stone');
    await type('New Password', GOOD);
    await type('Confirm New Password', 'Abcdef1?');
    expect(screen.getByText("Passwords don't match")).toBeTruthy();
    expect(button('Reset Password').disabled).toBe(true);
    await userEvent.clear(screen.getByLabelText('Confirm New Password'));
    await type('Confirm New Password', GOOD);
    await userEvent.dblClick(button('Reset Password'));
    await screen.findByRole('heading', { name: DONE });
    expect(sent(calls, RESET).map(({ body }) => body)).toEqual([
      { issue: 0, password: GOOD, password_rpt: GOOD, identifier: 'id-1' },
    ]);
    await waitFor(() => expect(sessionStorage.getItem('layby.reset')).toBeNull());

    // The confirmation stays until the dashboard appears.
    const seen: string[] = [];
    const watch = new MutationObserver(() => seen.push(document.body.textContent ?? ''));
    watch.observe(document.body, { childList: true, subtree: true, characterData: true });
    await userEvent.click(button('Ok'));
    await screen.findByRole('heading', { name: 'Please Log in to proceed' });
    watch.disconnect();
    expect(seen.join('\n')).not.toMatch(/link no longer works|open the link/);
    await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
    expect((screen.getByLabelText('Username') as HTMLInputElement).value).toBe('bob@example.com');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Password')));
  });

  test('leads, after the login, to the page that was wanted before it', async () => {
    openShop(null, {
      ...linked(),
      [OPEN]: forId('aid-1', () => ({ data: { ...INFO, user_username: 'ann@example.com' } })),
    });
    storeLoginTarget({ pathname: '/dashboard', search: '?state=%2Fpolicy%2Fview%2F1' });
    visit(ROUTES, '/reset-password?aid=aid-1');
    await screen.findByText('Stone');
    await type('New Password', GOOD);
    await type('Confirm New Password', GOOD);
    await userEvent.click(button('Reset Password'));
    await userEvent.click(await screen.findByRole('button', { name: 'Ok' }));
    await screen.findByRole('heading', { name: 'Please Log in to proceed' });
    expect((screen.getByLabelText('Username') as HTMLInputElement).value).toBe('ann@example.com');
    await type('Password', 'secret{Enter}');
    await screen.findByText('The policy');
    expect(localStorage.getItem('layby.login-target')).toBeNull();
  });

  test('ends as well where somebody logs in instead', async () => {
    openShop(null, linked());
    const router = visit(ROUTES, '/reset-password?aid=aid-1');
    await screen.findByText('Stone');
    await router.navigate('/dashboard');
    const { login } = await import('../../../api/session/session');
    await login({ username: 'ann@example.com', password: 'secret', remember: true });
    await screen.findByRole('link', { name: 'Policies' });
    await waitFor(() => expect(sessionStorage.getItem('layby.reset')).toBeNull());
  });

  test.each([
    ['used or unknown', '/reset-password?aid=other', 'This link no longer works'],
    ['missing', '/reset-password', 'Please open the link in our mail'],
  ])('%s, it says how to get a new one', async (_, address, title) => {
    openShop(null, linked());
    visit(ROUTES, address);
    await screen.findByRole('heading', { name: title });
    const link = screen.getByRole('link', { name: 'Send me a new link' });
    expect(link.getAttribute('href')).toBe('/retrieve-password');
  });

  test('used up while the password was typed, it says so', async () => {
    openShop(
      null,
      linked(() => refuse(404, 'Gone')),
    );
    visit(ROUTES, '/reset-password?aid=aid-1');
    await screen.findByText('Stone');
    await type('New Password', GOOD);
    await type('Confirm New Password', GOOD);
    await userEvent.click(button('Reset Password'));
    await screen.findByRole('heading', { name: 'This link no longer works' });
  });

  test('a refusal stands at the field', async () => {
    openShop(
      null,
      linked(() => refuse(422, 'No', { errors: { password: ['Used before'] } })),
    );
    visit(ROUTES, '/reset-password?aid=aid-1');
    await screen.findByText('Stone');
    await type('New Password', GOOD);
    await type('Confirm New Password', GOOD);
    await userEvent.click(button('Reset Password'));
    await screen.findByText('Used before');
    await waitFor(() => expect(document.title).toBe('Error: Reset password'));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('New Password')));
  });

  test('a failed call does not count as a dead link', async () => {
    let fails = true;
    openShop(null, {
      ...linked(),
      [OPEN]: forId('aid-1', () => (fails ? refuse(503, 'Busy') : { data: INFO })),
    });
    visit(ROUTES, '/reset-password?aid=aid-1');
    await screen.findByRole('heading', { name: "We couldn't check your link" });
    fails = false;
    await userEvent.click(button('Try again'));
    await screen.findByText('Stone');
  });
});
