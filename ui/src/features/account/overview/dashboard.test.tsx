import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { refuse } from '../../../api/testing';
import { AccountMenu } from '../../../layout/AccountMenu';
import { serve, show } from '../../../testing/server';
import { DashboardScreen } from './DashboardScreen';

const ROUTES = { '/dashboard': <DashboardScreen />, '/': <AccountMenu /> };

afterEach(() => {
  vi.unstubAllGlobals();
});

test('logged out, the dashboard says whom it is for; Cancel closes the login card again', async () => {
  serve();
  show(ROUTES, '/dashboard');
  await screen.findByText(
    'This page is for existing users. Here you can track previous purchases and outstanding orders, and view or change your account details.',
  );
  expect(screen.queryByLabelText('Username')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Login' }));
  expect(screen.getByLabelText('Username')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByLabelText('Username')).toBeNull();
  expect(screen.getByRole('button', { name: 'Login' })).toBeTruthy();
});

test('a profile that cannot be fetched shows the visitor as logged out', async () => {
  serve({ 'GET /api/v1/profile': () => refuse(500, 'Broken') });
  show(ROUTES, '/dashboard');
  await screen.findByRole('heading', { name: 'Please Log in to proceed' });
  show(ROUTES, '/');
  await userEvent.click(await screen.findByRole('button', { name: 'My Account' }));
  await screen.findByRole('heading', { name: 'User login' });
});
