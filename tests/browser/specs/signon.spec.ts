import { expectAccessible } from '../support/accessibility.ts';
import { expect, test } from '../support/test.ts';

// The login page is on another site, which the test simulates. The settings allow only https, and a
// played site needs no certificate.
const ELSEWHERE = 'https://id.example/in';

test.use({ seeded: true, settings: `[accounts]\nlogin_redirect = "${ELSEWHERE}?client=shop"\n` });

test('a session that ended leads to the login elsewhere and back, and a second time to our own', async ({
  page,
  account,
  shop,
  complaints,
}) => {
  complaints.tolerate(/status of 401 /);
  const visits: URL[] = [];
  await page.route(`${ELSEWHERE}**`, async (route) => {
    const address = new URL(route.request().url());
    visits.push(address);
    const returnAddress = new URL(address.searchParams.get('state') ?? '', shop.address);
    await route.fulfill({
      contentType: 'text/html; charset=utf-8',
      body: `<!doctype html><title>Log in</title><a href="${returnAddress.href}">Back to the shop</a>`,
    });
  });
  const email = shop.logins.addresses[0] ?? '';
  const { password } = shop.logins;
  await account.openLogin();
  await account.logIn({ email, password });
  await expect(account.details).toBeVisible();

  await page.request.get('/api/logout');
  await account.tab('Policies').click();
  await page.getByRole('link', { name: 'Back to the shop' }).click();
  expect(visits.map(({ searchParams }) => Object.fromEntries(searchParams))).toEqual([
    { client: 'shop', state: '/dashboard?tab=policies' },
  ]);
  expect(visits[0]?.origin).toBe('https://id.example');

  // The other site's login is not ours.
  await expect(page).toHaveURL(`${shop.address}/dashboard?tab=policies`);
  await expect(account.startField).toBeVisible();
  await expect(account.loginCard).toBeVisible();
  await expectAccessible(page, 'the login card after the login elsewhere');
  await account.logIn({ email, password });
  await expect(page.getByRole('heading', { name: 'Policies', level: 1 })).toBeVisible();

  // Within a minute of the first redirect.
  await page.request.get('/api/logout');
  await account.tab('Quotes').click();
  await expect(account.loginCard).toBeVisible();
  expect(visits).toHaveLength(1);
});

test('the way back is a page of ours', { tag: '@wide' }, async ({ page, account, shop }) => {
  const email = shop.logins.addresses[1] ?? '';
  await account.openLogin('/dashboard?state=https%3A%2F%2Fevil.example%2F');
  const { password } = shop.logins;
  await account.logIn({ email, password });
  await expect(account.details).toBeVisible();
  await expect(page).toHaveURL((url) => url.origin === shop.address);
  await page.goto('/dashboard?state=%2Fportal');
  await expect(page).toHaveURL(`${shop.address}/portal`);
});
