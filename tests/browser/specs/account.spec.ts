import { expectAccessible } from '../support/accessibility.ts';
import { expect, test } from '../support/test.ts';

test.use({ seeded: true });

test('a customer logs in from the toolbar, sees their details and logs out', async ({
  page,
  shop,
  account,
  complaints,
}) => {
  complaints.tolerate(/status of 422 .* \/api\/login$/);
  const { addresses, password } = shop.logins;
  const address = addresses[0] ?? '';
  await page.goto('/');
  await page.getByRole('button', { name: 'My Account' }).click();

  await test.step('a wrong password says so, and nothing typed is lost', async () => {
    const panel = page.getByRole('region', { name: 'User login' });
    const login = panel.getByRole('button', { name: 'Login' });
    await expect(login).toBeDisabled();
    await panel.getByLabel('Username').fill(address);
    await panel.getByRole('textbox', { name: 'Password' }).fill(`${password}?`);
    await login.click();
    await expect(panel.getByRole('alert')).not.toBeEmpty();
    await expect(panel.getByLabel('Username')).toHaveValue(address);
    await expectAccessible(page, 'the refused login');
    await panel.getByRole('textbox', { name: 'Password' }).fill(password);
    await panel.getByRole('textbox', { name: 'Password' }).press('Enter');
  });

  await test.step('the menu says hello, and leads to the details', async () => {
    const panel = page.getByRole('region', { name: 'My Account' });
    await expect(panel).toContainText(`Hello ${address}`);
    await expect(panel.getByRole('button', { name: 'Logout' })).toBeVisible();
    await panel.getByRole('button', { name: 'View Details' }).click();
    await expect(page).toHaveURL('/dashboard');
    const details = page.getByRole('region', { name: 'Your Details' });
    await expect(details).toContainText('First Name');
    await expect(details).toContainText(address);
    await expectAccessible(page, 'the dashboard of a customer');
  });

  await test.step('logging out takes all of it away', async () => {
    await account.logOut();
    await expect(
      page.getByRole('heading', { name: 'Please Log in to proceed', level: 1 }),
    ).toBeVisible();
    await expect(page.getByText(address)).toHaveCount(0);
    await page.reload();
    await expect(
      page.getByRole('heading', { name: 'Please Log in to proceed', level: 1 }),
    ).toBeVisible();
  });
});

test('a phone has the tabs and Logout in the secondary bar', async ({ page, shop, account }) => {
  const { addresses, password } = shop.logins;
  await page.setViewportSize({ width: 375, height: 667 });
  await account.openLogin();
  await account.logIn({ email: addresses[0] ?? '', password });
  await account.tab('Dashboard').scrollIntoViewIfNeeded();
  await expect(account.tab('Renewal Quotes')).toBeInViewport({ ratio: 1 });
  const logout = account.bar.getByRole('button', { name: 'Logout' });
  await expect(logout).toBeInViewport({ ratio: 1 });
  await expectAccessible(page, 'the dashboard on a phone');
  await logout.click();
  await expect(account.startField).toBeVisible();
});
