import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sent } from '../../../api/testing';
import { askToLogin, type LoginDialogMode } from '../../../shared/login/loginDialog';
import { visit } from '../../../testing/server';
import { openShop, reload, Shell, type Shop } from '../testing';

const GOOD = 'Abcdef1!';
const ROUTES = {
  '/': (
    <Shell>
      <p>Something else</p>
    </Shell>
  ),
};

beforeEach(reload);
afterEach(() => {
  vi.unstubAllGlobals();
});

const BUTTON = {
  '/': (
    <Shell>
      <button type="button" onClick={() => void askToLogin()}>
        Open
      </button>
    </Shell>
  ),
};

async function ask(mode?: LoginDialogMode) {
  visit(ROUTES, '/');
  let answer: Promise<boolean> = Promise.resolve(false);
  act(() => {
    answer = askToLogin({ mode });
  });
  return { dialog: within(await screen.findByRole('dialog')), answer };
}

test('it logs in over what is on the screen', async () => {
  openShop(null);
  const { dialog, answer } = await ask();
  await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText('Username')));
  await userEvent.keyboard('ann@example.com');
  await userEvent.type(dialog.getByLabelText('Password'), 'secret{Enter}');
  expect(await answer).toBe(true);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByText('Something else')).toBeTruthy();
});

test('closed, it answers that nobody logged in', async () => {
  openShop(null);
  const { dialog, answer } = await ask();
  await userEvent.click(dialog.getByRole('button', { name: 'Close' }));
  expect(await answer).toBe(false);
});

test('closed, it gives the focus back to what opened it', async () => {
  openShop(null);
  visit(BUTTON, '/');
  await userEvent.click(await screen.findByRole('button', { name: 'Open' }));
  const dialog = within(await screen.findByRole('dialog'));
  await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText('Username')));
  await userEvent.click(dialog.getByRole('button', { name: 'Close' }));
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open' })),
  );
});

test('the username goes along to the other forms', async () => {
  const { calls } = openShop(null, {
    'POST /api/v1/retrieve-password-request': () => ({ data: {} }),
  });
  const { dialog } = await ask();
  await userEvent.type(dialog.getByLabelText('Username'), 'ann@example.com');
  await userEvent.click(dialog.getByRole('button', { name: 'Forgotten password, click here' }));
  expect(screen.getByRole('dialog', { name: 'Reset password' })).toBeTruthy();
  await userEvent.click(dialog.getByRole('button', { name: 'Send me a link' }));
  await dialog.findByText('Check your mailbox for email with password reset link');
  expect(sent(calls, 'POST /api/v1/retrieve-password-request')[0]?.body).toEqual({
    username: 'ann@example.com',
  });
  await userEvent.click(dialog.getByRole('button', { name: 'Back to login' }));
  expect((dialog.getByLabelText('Username') as HTMLInputElement).value).toBe('ann@example.com');
});

test('a password is changed on the way, and then logged in with', async () => {
  const shop: Shop = openShop(null, {
    'PUT /api/v1/profile/password': () => {
      shop.person = null;
      return { data: {} };
    },
  });
  const { dialog } = await ask('change');
  const update = dialog.getByRole('button', { name: 'Update Password' }) as HTMLButtonElement;
  await userEvent.type(dialog.getByLabelText('Current Password'), 'secret');
  await userEvent.type(dialog.getByLabelText('New Password'), GOOD);
  await userEvent.type(dialog.getByLabelText('Repeat New Password'), GOOD);
  expect(update.disabled).toBe(true);
  await userEvent.type(dialog.getByLabelText('Username'), 'ann@example.com');
  await userEvent.click(update);
  await dialog.findByRole('heading', { name: 'Your Password has been successfully changed!' });
  expect(shop.calls.filter(({ method }) => method !== 'GET').map(({ body }) => body)).toEqual([
    { username: 'ann@example.com', password: 'secret', remember: false },
    { password: 'secret', new_password: GOOD, new_password_repeat: GOOD },
  ]);
  await userEvent.click(dialog.getByRole('button', { name: 'Ok' }));
  expect((await dialog.findByLabelText('Username')) as HTMLInputElement).toHaveProperty(
    'value',
    'ann@example.com',
  );
  await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText('Password')));
});
