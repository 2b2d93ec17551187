import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Handler, refuse, sent } from '../../../api/testing';
import { visit } from '../../../testing/server';
import { DashboardScreen } from '../overview/DashboardScreen';
import { ANN, openShop, reload, Shell, type Shop } from '../testing';

const ROUTES = {
  '/dashboard': (
    <Shell>
      <DashboardScreen />
    </Shell>
  ),
};

const RULE =
  'Password must contain an uppercase character, a lowercase character, a number, a special symbol and needs to be between 8 and 20 characters long';
const GOOD = 'Abcdef1!';
const DONE = 'Your Password has been successfully changed!';

beforeEach(reload);
afterEach(() => {
  vi.unstubAllGlobals();
});

const button = (name: string) => screen.getByRole('button', { name }) as HTMLButtonElement;
const type = (label: string, text: string) => userEvent.type(screen.getByLabelText(label), text);

describe('a change of password', () => {
  const CHANGE = 'PUT /api/v1/profile/password';

  const shopOf = (answer: Handler<typeof CHANGE>) => openShop(ANN, { [CHANGE]: answer });

  /** Starts a server that ends the session after a change of password. */
  function openPasswordShop(): Shop {
    const shop = shopOf(() => {
      shop.person = null;
      return { data: {} };
    });
    return shop;
  }

  async function open() {
    visit(ROUTES, '/dashboard');
    await userEvent.click(await screen.findByRole('button', { name: 'Change Password' }));
    return screen.findByRole('region', { name: 'Change password' });
  }

  test('has a card of its own that opens and closes', async () => {
    openPasswordShop();
    await open();
    expect(button('Update Password').disabled).toBe(true);
    await userEvent.click(button('Cancel'));
    expect(screen.queryByRole('region', { name: 'Change password' })).toBeNull();
    expect(button('Change Password')).toBeTruthy();
  });

  test('says live what a new password still needs', async () => {
    openPasswordShop();
    const card = within(await open());
    expect(card.getByText(RULE)).toBeTruthy();
    await type('New Password', 'abc');
    await userEvent.tab();
    await waitFor(() =>
      expect(screen.getByLabelText('New Password').getAttribute('aria-invalid')).toBe('true'),
    );
    expect(card.getAllByText(RULE)).toHaveLength(1);
    await type('New Password', 'DE1!x');
    expect(screen.getByLabelText('New Password').getAttribute('aria-invalid')).not.toBe('true');

    await type('Repeat New Password', 'abcD');
    expect(card.queryByText("Passwords don't match")).toBeNull();
    await type('Repeat New Password', 'x');
    expect(card.getByText("Passwords don't match")).toBeTruthy();
    await userEvent.clear(screen.getByLabelText('Repeat New Password'));
    await userEvent.tab();
    expect(card.getByText('Required.')).toBeTruthy();
    await type('Repeat New Password', 'abcDE1!x');
    expect(button('Update Password').disabled).toBe(true);
    await type('Current Password', 'secret');
    expect(button('Update Password').disabled).toBe(false);
  });

  test('Enter before it is complete says what is missing', async () => {
    const { calls } = openPasswordShop();
    const card = within(await open());
    await type('New Password', `${GOOD}{Enter}`);
    expect(card.getAllByText('Required.')).toHaveLength(2);
    expect(sent(calls, CHANGE)).toEqual([]);
  });

  test('made, it logs out, says so, and Ok leads to the login', async () => {
    const { calls } = openPasswordShop();
    await open();
    await type('Current Password', 'secret');
    await type('New Password', GOOD);
    await type('Repeat New Password', GOOD);
    await userEvent.dblClick(button('Update Password'));
    const heading = await screen.findByRole('heading', { name: DONE });
    expect(screen.getByText('Please Login with Your new credentials.')).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(heading));
    expect(screen.queryByText('ann@example.com')).toBeNull();
    expect(sent(calls, CHANGE).map(({ body }) => body)).toEqual([
      { password: 'secret', new_password: GOOD, new_password_repeat: GOOD },
    ]);

    await userEvent.click(button('Ok'));
    await screen.findByLabelText('Username');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Username')));
    expect(screen.queryByText(DONE)).toBeNull();
  });

  test('refused, it shows the list of what is wrong and keeps what was typed', async () => {
    const errors = { password: ['The password is wrong.', 'It is not the first time.'] };
    shopOf(() => refuse(422, 'Invalid', { errors }));
    const card = within(await open());
    await type('Current Password', 'wrong');
    await type('New Password', GOOD);
    await type('Repeat New Password', GOOD);
    await userEvent.click(button('Update Password'));
    const list = within(await card.findByRole('list'));
    expect(list.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'The password is wrong.',
      'It is not the first time.',
    ]);
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByLabelText('Current Password')),
    );
    expect((screen.getByLabelText('New Password') as HTMLInputElement).value).toBe(GOOD);
    await waitFor(() => expect(document.title).toBe('Error: My Account'));
    await type('Current Password', '!');
    expect(card.queryByRole('list')).toBeNull();
    await waitFor(() => expect(document.title).toBe('My Account'));
  });

  test('a new password that others would guess is refused at its own field', async () => {
    const reason =
      'This password is one of the first that others would guess. Please choose another';
    shopOf(() => refuse(422, 'Invalid', { errors: { new_password: [reason] } }));
    const card = within(await open());
    await type('Current Password', 'secret');
    await type('New Password', GOOD);
    await type('Repeat New Password', GOOD);
    await userEvent.click(button('Update Password'));
    await card.findByText(reason);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('New Password')));
    expect(screen.getByLabelText('Current Password').getAttribute('aria-invalid')).not.toBe('true');
  });

  test('after the session ran out asks for the login, and keeps what was typed', async () => {
    shopOf(() => refuse(401, 'Please log in.'));
    await open();
    await type('Current Password', 'secret');
    await type('New Password', GOOD);
    await type('Repeat New Password', GOOD);
    await userEvent.click(button('Update Password'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Login' }));
    await userEvent.type(dialog.getByLabelText('Username'), 'ann@example.com');
    await userEvent.type(dialog.getByLabelText('Password'), 'wrong{Enter}');
    await dialog.findByText('The username or password is not right.');
    await waitFor(() => expect(document.title).toBe('Error: My Account'));
    await userEvent.clear(dialog.getByLabelText('Password'));
    await userEvent.type(dialog.getByLabelText('Password'), 'secret{Enter}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect((screen.getByLabelText('New Password') as HTMLInputElement).value).toBe(GOOD);
    const submitButton = await screen.findByRole<HTMLButtonElement>('button', {
      name: 'Update Password',
    });
    expect(submitButton.disabled).toBe(false);
  });
});
