import { expectAccessible } from '../support/accessibility.ts';
import { newAddress } from '../support/customers.ts';
import { expect, test } from '../support/test.ts';

test.use({ seeded: true });

test('the dashboard shows nobody the way in, and closes it where it is not wanted', async ({
  page,
  account,
  shop,
  complaints,
}) => {
  complaints.tolerate(/status of 422 .* \/api\/login$/);
  const refused: string[] = [];
  page.on('response', (answer) => {
    if (answer.status() === 401) refused.push(answer.url());
  });
  await page.goto('/dashboard');
  await expect(account.startField).toBeVisible();
  expect(refused).toEqual([]);
  await expect(page.getByText('This page is for existing users.')).toContainText(
    'track previous purchases and outstanding orders, and view or change your account details',
  );
  await expect(account.bar.getByRole('link')).toHaveText(['Dashboard']);
  await expect(account.bar.getByRole('button')).toHaveCount(0);

  const main = page.getByRole('main');
  await expect(account.loginCard).toBeVisible();
  await main.getByRole('button', { name: 'Cancel' }).click();
  await expect(account.loginCard).toBeHidden();
  await main.getByRole('button', { name: 'Login' }).click();

  const login = account.loginCard.getByRole('button', { name: 'Login', exact: true });
  const password = account.password(account.loginCard);
  await expect(login).toBeDisabled();
  await expect(login).toHaveAccessibleDescription('Enter your username and password.');
  await account.loginCard.getByLabel('Username').fill(shop.logins.addresses[0] ?? '');
  await expect(login).toBeDisabled();
  await password.fill('Wrong-2026');
  await account.loginCard.getByRole('button', { name: 'Show password' }).click();
  await expect(password).toHaveAttribute('type', 'text');
  await login.click();
  await expect(account.loginCard.getByRole('alert')).toHaveText(
    'The username or password is not right. Please try again.',
  );
  await expectAccessible(page, 'the login card with an error');

  await password.fill(shop.logins.password);
  await password.press('Enter');
  await expect(account.details).toBeVisible();
  await expect(page.getByRole('heading', { name: 'My Account', level: 1 })).toBeFocused();
});

test('whoever keeps guessing has to wait', { tag: '@wide' }, async ({
  page,
  account,
  shop,
  complaints,
}) => {
  complaints.tolerate(/status of 42[29] .* \/api\/login$/);
  const email = newAddress('nobody');
  const guess = { username: email, password: 'Wrong-2026', remember: false };
  for (let tries = 0; tries < 5; tries += 1) {
    const answer = await page.request.post('/api/login', {
      headers: { Origin: shop.address },
      data: guess,
    });
    expect(answer.status()).toBe(422);
  }
  await account.openLogin();
  await account.loginCard.getByLabel('Username').fill(email);
  await account.password(account.loginCard).fill(guess.password);
  // The first wait is a second, which a slow machine may have used up. Each wait doubles.
  await expect(async () => {
    await account.loginCard.getByRole('button', { name: 'Login', exact: true }).click();
    await expect(account.loginCard.getByRole('alert')).toHaveText(/\w/);
    await expect(account.loginCard.getByRole('alert')).toHaveText(
      / Please wait \d+ seconds? and try again\.$/,
      { timeout: 300 },
    );
  }).toPass({ intervals: [0] });
});

test('login leads back to where it was asked for, and never out of the shop', {
  tag: '@wide',
}, async ({ page, account, customers, shop }) => {
  const customer = await customers.create();
  for (const state of ['https://evil.example/', '//evil.example/', '/\\evil.example/']) {
    await account.openLogin(`/dashboard?state=${encodeURIComponent(state)}`);
    await account.logIn(customer);
    await expect(account.details).toBeVisible();
    const isDashboard = (url: URL) => url.origin + url.pathname === `${shop.address}/dashboard`;
    await expect(page, state).toHaveURL(isDashboard);
    await account.logOut();
    await expect(account.startField).toBeVisible();
  }
  await account.openLogin('/dashboard?state=%2Fportal');
  await account.logIn(customer);
  await expect(page.getByRole('heading', { name: 'Hello Ann', level: 1 })).toBeVisible();
  await expect(page).toHaveURL('/portal');
});

test('a list that nobody is logged in for leads to login and back', { tag: '@wide' }, async ({
  page,
  account,
  customers,
  complaints,
}) => {
  complaints.tolerate(/status of 401 .* \/api\/v2\/policy\/list/);
  const customer = await customers.create();
  await customers.logIn(page, customer);
  await page.goto('/dashboard');
  await expect(account.details).toBeVisible();
  await page.context().clearCookies({ name: /session/ });
  await account.tab('Quotes').click();
  await expect(account.startField).toBeVisible();
  await account.openLogin(page.url());
  await account.logIn(customer);
  await expect(page.getByRole('heading', { name: 'Quotes', level: 1 })).toBeVisible();
  await expect(page.getByText(customer.quote.customId)).toBeVisible();
});

test('logging out stays on the dashboard and the cover page, and leaves every other', {
  tag: '@wide',
}, async ({ page, account, customers, complaints }) => {
  complaints.tolerate(/status of 401 .* \/api\/v2\/public\/quote\/read\//);
  const customer = await customers.create();
  const logOutFrom = async (path: string) => {
    await customers.logIn(page, customer);
    await page.goto(path);
    const menu = await account.openMenu();
    await expect(menu).toContainText(`Hello ${customer.email}`);
    await menu.getByRole('button', { name: 'Logout' }).click();
    return menu.getByLabel('Username');
  };

  await expect(await logOutFrom('/dashboard?tab=quotes')).toHaveValue('');
  await expect(account.startField).toBeVisible();
  await expect(page).toHaveURL('/dashboard');
  await expect(account.tab('Dashboard')).toHaveAttribute('aria-current', 'page');

  await expect(await logOutFrom('/breakdown/vehicle')).toHaveValue('');
  await expect(page).toHaveURL('/breakdown/vehicle');

  await logOutFrom(`/quote/edit/${customer.quote.uuid}`);
  await expect(page).toHaveURL('/');
  await expect(page.getByText(customer.quote.customId)).toHaveCount(0);
});

test('of two people at one computer neither sees the other', { tag: '@wide' }, async ({
  page,
  account,
  customers,
}) => {
  const [first, second] = [await customers.create(), await customers.create()];
  await account.openLogin();
  await account.logIn(first);
  await expect(page.getByText(first.quote.customId)).toBeVisible();
  await account.details.getByRole('button', { name: 'Edit your details' }).click();
  await account.details.getByLabel('Middle Name').fill('Nobody Else');
  await account.tab('Quotes').click();
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByLabel('Reference #').fill(first.quote.customId);
  await expect(page.getByRole('button', { name: 'Filter (1 in use)' })).toBeVisible();

  await account.logOut();
  await expect(account.startField).toBeVisible();
  await account.openLogin();
  await account.logIn(second);
  await expect(page.getByText(second.quote.customId)).toBeVisible();
  await expect(account.details).toContainText(second.email);
  await account.tab('Quotes').click();
  await expect(page.getByText(second.quote.customId)).toBeVisible();
  await expect(page.getByText(first.quote.customId)).toHaveCount(0);
  await expect(page.getByText(first.email)).toHaveCount(0);
});

test('the portal offers what somebody can do next', async ({ page, account, customers }) => {
  await page.goto('/dashboard');
  const menu = await account.openMenu();
  await menu.getByRole('link', { name: 'Customer portal' }).click();
  await expect(menu).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Customer portal', level: 1 })).toBeVisible();
  await expectAccessible(page, 'the portal of nobody');
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Log in/ })
    .click();
  await expect(account.loginCard.getByLabel('Username')).toBeFocused();
  await account.logIn(await customers.create());
  await expect(account.details).toBeVisible();
  await (await account.openMenu()).getByRole('link', { name: 'Customer portal' }).click();
  await expect(page.getByRole('heading', { name: 'Hello Ann', level: 1 })).toBeVisible();
  await expectAccessible(page, 'the portal of a customer');
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Your quotes/ })
    .click();
  await expect(page).toHaveURL('/dashboard?tab=quotes');
});
