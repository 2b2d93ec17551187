import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { refuse, sent } from '../../../api/testing';
import { AccountMenu } from '../../../layout/AccountMenu';
import { forgetLogin, mayBeLoggedIn } from '../../../lib/session/mayBeLoggedIn';
import { serve, show } from '../../../testing/server';
import { DashboardScreen } from './DashboardScreen';

const ROUTES = { '/dashboard': <DashboardScreen />, '/': <AccountMenu /> };

afterEach(() => {
  vi.unstubAllGlobals();
});

test('logged out, the dashboard says whom it is for; the login card is open, and Cancel closes it', async () => {
  serve();
  show(ROUTES, '/dashboard');
  await screen.findByText(
    'This page is for existing users. Here you can track previous purchases and outstanding orders, and view or change your account details.',
  );
  expect(screen.getByLabelText('Username')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByLabelText('Username')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Login' }));
  expect(screen.getByLabelText('Username')).toBeTruthy();
});

test('logged out, no call is refused: a session that ended is asked for once', async () => {
  const profile = 'GET /api/v1/profile';
  const ended = serve();
  show(ROUTES, '/dashboard');
  await screen.findByRole('heading', { name: 'Please Log in to proceed' });
  expect(sent(ended, profile)).toHaveLength(1);
  expect(mayBeLoggedIn()).toBe(false);
  const calls = serve();
  forgetLogin();
  show(ROUTES, '/dashboard');
  await screen.findByRole('heading', { name: 'Please Log in to proceed' });
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(sent(calls, profile)).toEqual([]);
  expect(calls.filter(({ path }) => path.includes('/list'))).toEqual([]);
});

test('a profile that cannot be fetched shows the visitor as logged out', async () => {
  serve({ 'GET /api/v1/profile': () => refuse(500, 'Broken') });
  show(ROUTES, '/dashboard');
  await screen.findByRole('heading', { name: 'Please Log in to proceed' });
  show(ROUTES, '/');
  await userEvent.click(await screen.findByRole('button', { name: 'My Account' }));
  await screen.findByRole('heading', { name: 'User login' });
});
