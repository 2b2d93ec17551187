import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { refuse, sent } from '../../../api/testing';
import { visit } from '../../../testing/server';
import { DashboardScreen } from '../overview/DashboardScreen';
import { openShop, reload, Shell } from '../testing';
import { RetrieveScreen } from './RetrieveScreen';

const ROUTES = {
  '/dashboard': (
    <Shell>
      <DashboardScreen />
    </Shell>
  ),
  '/retrieve-password': <RetrieveScreen />,
};

const GOOD = 'Abcdef1!';

beforeEach(reload);
afterEach(() => {
  vi.unstubAllGlobals();
});

const button = (name: string) => screen.getByRole('button', { name }) as HTMLButtonElement;
const type = async (label: string, text: string) =>
  userEvent.type(await screen.findByLabelText(label), text);

/** Waits until a text appears twice: in the snackbar and on the page. */
const expectTwice = (text: string) =>
  waitFor(() => expect(screen.getAllByText(text)).toHaveLength(2));

describe('a forgotten password', () => {
  const REQUEST = 'POST /api/v1/retrieve-password-request';
  const RETRIEVE = 'POST /api/v1/retrieve-password';
  const SENT = 'Check your mailbox for email with password reset link';

  test('is asked for by the username', async () => {
    const { calls } = openShop(null, { [REQUEST]: () => ({ data: {} }) });
    visit(ROUTES, '/retrieve-password');
    await type('Username', ' ann@example.com ');
    await userEvent.dblClick(button('Send me a link'));
    await expectTwice(SENT);
    const requests = sent(calls, REQUEST);
    expect(requests.map(({ body }) => body)).toEqual([{ username: 'ann@example.com' }]);
    expect(button('Send the link again')).toBeTruthy();
  });

  test('a failure says to check the username, and how long to wait where it must', async () => {
    openShop(null, { [REQUEST]: () => refuse(429, 'Too many tries.', { retryAfter: 30 }) });
    visit(ROUTES, '/retrieve-password');
    await type('Username', 'ann{Enter}');
    await expectTwice('Error. Please check username and try again.');
    expect(
      screen.getByText('That was too many tries. Please wait 30 seconds and try again.'),
    ).toBeTruthy();
    expect((screen.getByLabelText('Username') as HTMLInputElement).value).toBe('ann');
  });

  test('the link opens the form for the new one, and then the login', async () => {
    const { calls } = openShop(null, { [RETRIEVE]: () => ({ data: {} }) });
    visit(ROUTES, '/retrieve-password?hash=aid-1');
    await screen.findByRole('heading', { name: 'Choose a new password' });
    await waitFor(() => expect(window.location.search).toBe(''));
    await type('Username', 'ann@example.com');
    await type('New Password', GOOD);
    await type('Confirm New Password', GOOD);
    await userEvent.click(button('Reset Password'));
    await screen.findByText('Password is reset, you can login with new password');
    await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
    expect(sent(calls, RETRIEVE)[0]?.body).toEqual({
      hash: 'aid-1',
      username: 'ann@example.com',
      password: GOOD,
      password_rpt: GOOD,
    });
    await screen.findByRole('heading', { name: 'Please Log in to proceed' });
    await waitFor(() => expect(sessionStorage.getItem('layby.retrieve')).toBeNull());
    expect(screen.getByLabelText('Username')).toHaveProperty('value', 'ann@example.com');
  });

  test('a link that does not count says so, and another can be asked for', async () => {
    openShop(null, { [RETRIEVE]: () => refuse(422, 'This link is too old.') });
    visit(ROUTES, '/retrieve-password?hash=aid-1');
    await screen.findByRole('heading', { name: 'Choose a new password' });
    await type('Username', 'ann');
    await type('New Password', GOOD);
    await type('Confirm New Password', GOOD);
    await userEvent.click(button('Reset Password'));
    await expectTwice('Please check form data and try again.');
    expect(screen.getByText('This link is too old.')).toBeTruthy();
    await waitFor(() => expect(document.title).toBe('Error: Forgotten password'));
    await userEvent.click(button('Send me a new link'));
    await screen.findByRole('heading', { name: 'Forgotten your password?' });
  });
});
