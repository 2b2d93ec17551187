import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Handler, refuse, sent } from '../../../api/testing';
import type { Profile } from '../../../api/types';
import { savedQuote } from '../../../testing/data';
import { may, term } from '../../../testing/policy';
import { visit } from '../../../testing/server';
import { row } from '../list/testing';
import { DashboardScreen } from '../overview/DashboardScreen';
import { ANN, openShop, reload, Shell, type Shop } from '../testing';

const ROUTES = {
  '/dashboard': (
    <Shell>
      <DashboardScreen />
    </Shell>
  ),
};

beforeEach(reload);
afterEach(() => {
  vi.unstubAllGlobals();
});

const details = () => screen.findByRole('region', { name: 'Your Details' });
const input = (name: string, hidden = false) =>
  screen.getByRole('textbox', { name, hidden }) as HTMLInputElement;

const SAVE = 'PUT /api/v1/profile';

const shopOf = (person: Profile, save: Handler<typeof SAVE>) => openShop(person, { [SAVE]: save });

/** Starts a server that stores the profile changes that it receives. */
function openProfile(person: Profile): Shop {
  const shop: Shop = shopOf(person, ({ body }) => {
    shop.person = { ...person, ...body };
    return shop.person;
  });
  return shop;
}

const saved = (shop: Shop) => sent(shop.calls, SAVE);

async function edit() {
  await userEvent.click(await screen.findByRole('button', { name: 'Edit your details' }));
}

async function retype(name: string, text: string) {
  await userEvent.clear(input(name));
  if (text) await userEvent.type(input(name), text);
}

test('the card labels what there is, with titles and countries by name', async () => {
  openShop(ANN);
  visit(ROUTES, '/dashboard');
  const card = await details();
  await within(card).findByText('United Kingdom');
  expect(
    within(card)
      .getAllByRole('term')
      .map((term) => term.textContent),
  ).toEqual([
    'Title',
    'First Name',
    'Last Name',
    'Address',
    'Postcode',
    'Country',
    'Email Address',
    'Username',
    'Telephone',
  ]);
});

test('only what is changed is sent, and the card shows it', async () => {
  const shop = openProfile(ANN);
  visit(ROUTES, '/dashboard');
  await screen.findByText('United Kingdom');
  await edit();
  await waitFor(() => expect(document.activeElement?.getAttribute('name')).toBe('title_id'));
  await retype('First Name', 'Anna');
  await retype('Telephone', '');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Title' }), 'Mr');
  await userEvent.click(screen.getByRole('checkbox', { name: /offers and news/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Your details are saved.');
  expect(saved(shop).map(({ body }) => body)).toEqual([
    { first_name: 'Anna', tel_primary: '', title_id: 1, marketing_contact: false },
  ]);
  expect(within(await details()).getByText('Anna')).toBeTruthy();
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit your details' })),
  );
});

test('a new address offers the change of each policy that still has the old one', async () => {
  const OLD = '0197f3c2-0000-7000-8000-000000000031';
  const OTHER = '0197f3c2-0000-7000-8000-000000000032';
  const LOCKED = '0197f3c2-0000-7000-8000-000000000033';
  const home = { address_primary: '1 High Street, Leeds', postcode_primary: 'ls11aa' };
  const away = { address_primary: '7 Beach Road', postcode_primary: 'EX1 1EX' };
  const items = [OLD, OTHER, LOCKED].map((policy_uuid, index) => ({
    ...row(index + 1),
    policy_uuid,
  }));
  const shop: Shop = openShop(ANN, {
    [SAVE]: ({ body }) => {
      shop.person = { ...ANN, ...body };
      return shop.person;
    },
    'GET /api/v2/policy/list': ({ query }) => ({
      data: query.get('limit') === '20' ? items : [],
      current_page: 1,
      per_page: 20,
      total: 3,
      last_page: 1,
    }),
    'GET /api/v2/policy/read/{id}': ({ params: { id } }) => ({
      data: {
        ...savedQuote(id, 'LBY000001'),
        values: id === OTHER ? away : home,
        policy: term(
          id === LOCKED ? { can: may(), why_not: { change: 'A change is agreed already.' } } : {},
        ),
      },
    }),
  });
  visit(ROUTES, '/dashboard');
  await edit();
  await retype('Telephone', '0113 496 0001');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Your details are saved.');
  expect(screen.queryByText(/still has/)).toBeNull();
  await edit();
  await retype('Address', '2 Mill Lane{Enter}Leeds');
  await retype('Postcode', 'LS2 2BB');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  const link = await screen.findByRole('link', { name: /^Change its address/ });
  expect(link.getAttribute('href')).toBe(`/quote/edit/${OLD}?task=move&address=account`);
  await screen.findByText('A change is agreed already.');
  expect(screen.getAllByText('1 High Street, Leeds, LS1 1AA')).toHaveLength(2);
  expect(screen.queryByText(/Beach Road/)).toBeNull();
});

test('nothing changed is nothing sent', async () => {
  const shop = openProfile(ANN);
  visit(ROUTES, '/dashboard');
  await edit();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByRole('button', { name: 'Edit your details' });
  expect(saved(shop)).toEqual([]);
});

test('errors stand at their fields, the first takes the focus, and nothing typed is lost', async () => {
  const errors = {
    tel_primary: ['Not a telephone number'],
    postcode_primary: ['Not a postcode'],
  };
  shopOf(ANN, () => refuse(422, 'Please check your details.', { errors }));
  visit(ROUTES, '/dashboard');
  await edit();
  await retype('Telephone', '12');
  await retype('Postcode', 'nowhere');
  await userEvent.dblClick(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Not a telephone number');
  await waitFor(() => expect(document.activeElement).toBe(input('Postcode')));
  expect(input('Postcode').getAttribute('aria-invalid')).toBe('true');
  expect(input('Telephone').value).toBe('12');
  await screen.findByText('Please check your details.');
  await waitFor(() => expect(document.title).toBe('Error: My Account'));
});

test('a name may not be taken away', async () => {
  const shop = openProfile(ANN);
  visit(ROUTES, '/dashboard');
  await edit();
  await retype('Last Name', '');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Enter your last name');
  expect(saved(shop)).toEqual([]);
});

test('a double click saves once', async () => {
  const shop = openProfile(ANN);
  visit(ROUTES, '/dashboard');
  await edit();
  await retype('First Name', 'Anna');
  await userEvent.dblClick(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Your details are saved.');
  expect(saved(shop)).toHaveLength(1);
});

test('Cancel asks before changes go, and another tab of the dashboard takes none of them', async () => {
  openProfile(ANN);
  const router = visit(ROUTES, '/dashboard');
  await edit();
  await retype('First Name', 'Anna');
  await router.navigate('/dashboard?tab=quotes');
  await waitFor(() => expect(screen.queryByRole('textbox', { name: 'First Name' })).toBeNull());
  await router.navigate('/dashboard');
  expect(
    ((await screen.findByRole('textbox', { name: 'First Name' })) as HTMLInputElement).value,
  ).toBe('Anna');

  const card = within(await details());
  await userEvent.click(card.getByRole('button', { name: 'Cancel' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Keep editing' }));
  expect(input('First Name').value).toBe('Anna');
  await userEvent.click(card.getByRole('button', { name: 'Cancel' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Discard changes' }));
  await screen.findByRole('button', { name: 'Edit your details' });
  expect(within(await details()).getByText('Ann')).toBeTruthy();
});

test('a new mail address waits for its confirmation by mail, and can be withdrawn', async () => {
  const shop: Shop = shopOf(ANN, ({ body }) => {
    const { email_primary = null } = body;
    const email_pending = email_primary === ANN.email_primary ? null : email_primary;
    shop.person = { ...ANN, email_pending };
    return shop.person;
  });
  visit(ROUTES, '/dashboard');
  await edit();
  await retype('Email Address', 'new@example.com');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText(/Please confirm your new email address in its mailbox/);
  const card = await details();
  expect(card.textContent).toContain('We sent a link to new@example.com.');
  expect(card.textContent).toContain('Email Addressann@example.com');
  await userEvent.click(screen.getByRole('button', { name: 'Keep my present address' }));
  await screen.findByText('Your email address stays as it is.');
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit your details' })),
  );
  expect((await details()).textContent).not.toContain('new@example.com');
});

test('consent to offers and news is withdrawn by one press', async () => {
  const shop = openProfile(ANN);
  visit(ROUTES, '/dashboard');
  await userEvent.click(await screen.findByRole('button', { name: 'Stop these emails' }));
  await screen.findByText("We won't send you offers and news any more.");
  expect(saved(shop)[0]?.body).toEqual({ marketing_contact: false });
  expect(screen.queryByRole('button', { name: 'Stop these emails' })).toBeNull();
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit your details' })),
  );
});

test('a login that fails over the form shows nobody, and the same person finds what they typed', async () => {
  const shop = shopOf(ANN, () => refuse(401, 'Please log in.'));
  visit(ROUTES, '/dashboard');
  await edit();
  await retype('First Name', 'Anna');
  shop.person = null;
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Login' }));
  await userEvent.type(dialog.getByLabelText('Username'), 'ann@example.com');
  await userEvent.type(dialog.getByLabelText('Password'), 'wrong{Enter}');
  await dialog.findByText('The username or password is not right.');
  const hidden = true;
  expect(screen.getByRole('heading', { name: 'Please Log in to proceed', hidden })).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Policies', hidden })).toBeNull();
  expect(input('First Name', hidden).closest('[style*="display: none"]')).toBeTruthy();

  await userEvent.clear(dialog.getByLabelText('Password'));
  await userEvent.type(dialog.getByLabelText('Password'), 'secret{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(input('First Name').value).toBe('Anna');
  expect(screen.queryByRole('heading', { name: 'Please Log in to proceed' })).toBeNull();
});

test("a login dialog that is closed clears the last person's details", async () => {
  const shop = shopOf(ANN, () => refuse(401, 'Please log in.'));
  visit(ROUTES, '/dashboard');
  await edit();
  await retype('First Name', 'Anna');
  shop.person = null;
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Login' }));
  await userEvent.type(dialog.getByLabelText('Username'), 'ann@example.com');
  await userEvent.type(dialog.getByLabelText('Password'), 'wrong{Enter}');
  await dialog.findByText('The username or password is not right.');
  await userEvent.click(dialog.getByRole('button', { name: 'Close' }));
  await screen.findByRole('heading', { name: 'Please Log in to proceed' });
  expect(screen.queryByLabelText('First Name')).toBeNull();
});

test('a session that ran out asks for the login over the form, and saves after it', async () => {
  let isLoggedOut = true;
  const shop: Shop = shopOf(ANN, ({ body }) => {
    if (isLoggedOut) {
      isLoggedOut = false;
      return refuse(401, 'Please log in.');
    }
    shop.person = { ...ANN, ...body };
    return shop.person;
  });
  visit(ROUTES, '/dashboard');
  await edit();
  await retype('First Name', 'Anna');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Login' }));
  await userEvent.type(dialog.getByLabelText('Username'), 'ann@example.com');
  await userEvent.type(dialog.getByLabelText('Password'), 'secret{Enter}');
  await screen.findByText('Your details are saved.');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(saved(shop).map(({ body }) => body.first_name)).toEqual(['Anna', 'Anna']);
});

test('what one person pressed is not done for another who logs in meanwhile', async () => {
  const shop = shopOf(ANN, () => refuse(401, 'Please log in.'));
  visit(ROUTES, '/dashboard');
  await edit();
  await retype('First Name', 'Anna');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Login' }));
  await userEvent.type(dialog.getByLabelText('Username'), 'bob@example.com');
  await userEvent.type(dialog.getByLabelText('Password'), 'secret{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(saved(shop)).toHaveLength(1);
});
