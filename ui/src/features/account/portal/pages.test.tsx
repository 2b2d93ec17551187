import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Reply, refuse, sent } from '../../../api/testing';
import { loginRequest } from '../../../shared/login/loginDialog';
import { visit } from '../../../testing/server';
import { ANN, openShop, reload, Shell } from '../testing';
import { ConfirmEmailScreen } from './ConfirmEmailScreen';
import { PortalScreen } from './PortalScreen';

const ROUTES = {
  '/confirm-email': (
    <Shell>
      <ConfirmEmailScreen />
    </Shell>
  ),
  '/portal': <PortalScreen />,
  '/dashboard': <p>Account</p>,
};

beforeEach(reload);
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('the confirmation of a new mail address', () => {
  const CONFIRM = 'POST /api/v1/profile/email';

  test('is one press; the secret leaves the address and is spent once', async () => {
    const { calls } = openShop(null, { [CONFIRM]: () => ({ data: {} }) });
    visit(ROUTES, '/confirm-email#secret-1');
    const button = await screen.findByRole('button', { name: 'Confirm' });
    await waitFor(() => expect(window.location.hash).toBe(''));
    expect(sent(calls, CONFIRM)).toEqual([]);
    await userEvent.dblClick(button);
    await screen.findByRole('heading', { name: 'Your email address is confirmed' });
    expect(sent(calls, CONFIRM).map(({ body }) => body)).toEqual([{ secret: 'secret-1' }]);
    expect(screen.getByRole('link', { name: 'My Account' })).toBeTruthy();
    await waitFor(() => expect(sessionStorage.getItem('layby.confirm')).toBeNull());
  });

  test('by a dead link it says so, by a failed line it can be tried again', async () => {
    let refusal = refuse(503, 'We are busy.');
    openShop(null, { [CONFIRM]: () => refusal });
    visit(ROUTES, '/confirm-email#secret-1');
    await userEvent.click(await screen.findByRole('button', { name: 'Confirm' }));
    await screen.findByText('We are busy.');
    refusal = refuse(404, 'Gone');
    await userEvent.click(screen.getByRole('button', { name: 'Confirm' }));
    await screen.findByRole('heading', { name: 'This link no longer works' });
  });

  test('asks for the login of the account where nobody is logged in, and then confirms', async () => {
    let reply: Reply<typeof CONFIRM> = refuse(401, 'Please log in.');
    openShop(null, { [CONFIRM]: () => reply });
    visit(ROUTES, '/confirm-email#secret-1');
    await userEvent.click(await screen.findByRole('button', { name: 'Confirm' }));
    await waitFor(() => expect(loginRequest.get()).not.toBeNull());
    reply = { data: {} };
    loginRequest.get()?.answer(true);
    await screen.findByRole('heading', { name: 'Your email address is confirmed' });
  });

  test('without a secret it asks for the mail', async () => {
    openShop(null);
    visit(ROUTES, '/confirm-email');
    await screen.findByRole('heading', { name: 'Please open the link in our mail' });
  });
});

describe('the portal', () => {
  const links = () =>
    within(screen.getByRole('list'))
      .getAllByRole('link')
      .map((link) => link.getAttribute('href'));

  test('leads a customer to what they have', async () => {
    openShop(ANN);
    visit(ROUTES, '/portal');
    await screen.findByRole('heading', { name: 'Hello Ann' });
    await screen.findByText('Broken down?');
    expect(links()).toEqual([
      '/dashboard?tab=policies',
      '/dashboard?tab=payments',
      '/dashboard?tab=quotes',
      '/dashboard?tab=renewals',
      '/dashboard',
      '/',
      'tel:03307654321',
    ]);
  });

  test('leads a visitor to the login, a quote or a new password', async () => {
    openShop(null);
    visit(ROUTES, '/portal');
    await screen.findByRole('heading', { name: 'Customer portal' });
    await screen.findByText('Broken down?');
    expect(links()).toEqual(['/dashboard', '/', '/retrieve-password', 'tel:03307654321']);
    await userEvent.click(screen.getByRole('link', { name: /Log in/ }));
    await waitFor(() => expect(window.history.state.usr).toEqual({ login: true }));
  });
});
