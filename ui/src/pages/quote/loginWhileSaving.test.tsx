import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forId, refuse, sent } from '../../api/testing';
import { ANN, openShop, reload, Shell, type Shop } from '../../features/account/testing';
import { EditQuote } from '../../features/quote/saved/EditQuote';
import { savedQuote, updatedQuote } from '../../testing/data';
import { visit } from '../../testing/server';

beforeEach(reload);
afterEach(() => {
  vi.unstubAllGlobals();
});

test('a quote whose save was refused is kept through the login, and saved then', async () => {
  const uuid = '0197f3c2-0000-7000-8000-000000000009';
  const quote = savedQuote(uuid, 'BRK100000001');
  const shop: Shop = openShop(null, {
    'GET /api/v2/public/quote/read/{id}': forId(uuid, () => ({ data: quote })),
    'PUT /api/v1/quote/{id}': forId(uuid, () =>
      shop.person ? { data: updatedQuote(uuid) } : refuse(401, 'Log in'),
    ),
  });
  const page = <EditQuote uuid={uuid} bought={null} />;
  visit({ '/quote/edit/:id': <Shell>{page}</Shell> }, `/quote/edit/${uuid}?step=2`);
  await userEvent.click(await screen.findByRole('button', { name: 'Update my details' }));
  const name = screen.getByRole('textbox', { name: 'First name' });
  await userEvent.clear(name);
  await userEvent.type(name, 'Bo');
  await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
  const warning = (
    await screen.findByText(/You cannot update quote if you are not logged in/)
  ).closest('[role="alert"]') as HTMLElement;
  await userEvent.click(within(warning).getByRole('button', { name: 'Login' }));

  const dialog = within(await screen.findByRole('dialog', { name: 'Login' }));
  await userEvent.type(dialog.getByLabelText('Username'), ANN.user_username);
  await userEvent.type(dialog.getByLabelText('Password'), 'secret{Enter}');
  await screen.findByText('You are logged in. You can save your changes now.');
  expect(screen.queryByText(/You cannot update quote/)).toBeNull();
  // The same element as before: the form stayed on the screen.
  expect(screen.getByRole('textbox', { name: 'First name' })).toBe(name);
  expect((name as HTMLInputElement).value).toBe('Bo');

  await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
  await screen.findByText('Quote updated successfully.');
  const saves = sent(shop.calls, 'PUT /api/v1/quote/{id}');
  expect(saves).toHaveLength(2);
  expect(saves[1]?.body).toMatchObject({ product: { values: { first_name: 'Bo' } } });
});
