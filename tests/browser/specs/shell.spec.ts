import { expectAccessible } from '../support/accessibility.ts';
import { expect, test } from '../support/test.ts';

test('an unknown address is a 404 with the website around it', async ({ page, complaints }) => {
  complaints.tolerate(/status of 404 .* \/no-such-page$/);
  const response = await page.goto('/no-such-page');
  expect(response?.status()).toBe(404);
  await expect(
    page.getByRole('heading', { name: 'This page could not be found', level: 1 }),
  ).toBeVisible();
  await expect(
    page.getByText(
      'Sorry, it looks like there is a problem. The requested page could not be found.',
      { exact: true },
    ),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'My Account' })).toBeVisible();
  await page.getByRole('link', { name: 'Go to the home page' }).click();
  await expect(page).toHaveURL('/');
});

test('a phone’s bar has a button that calls for help', async ({ page, shop }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const { data: site } = await (await page.request.get(`${shop.address}/api/v1/site`)).json();
  const number: string = site.assistance_phone;
  const call = page.getByRole('banner').getByRole('link', { name: `Broken down? Call ${number}` });
  for (const path of ['/', '/dashboard', '/breakdown/vehicle']) {
    await page.goto(path);
    await expect(call).toBeInViewport({ ratio: 1 });
    await expect(call).toHaveAttribute('href', `tel:${number.replaceAll(' ', '')}`);
    await expect(call).toHaveCSS('background-color', 'rgb(255, 176, 0)');
    const bar = await page.getByRole('banner').boundingBox();
    expect(bar?.height, 'the bar has one row').toBe(64);
    const box = await call.boundingBox();
    expect(box).toMatchObject({ width: 44, height: 44 });
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await expect(call).toBeHidden();
});

test('every page of the website answers 200, every other path 404', async ({ request }) => {
  const uuid = '0190f3a1-0000-7000-8000-000000000000';
  const known = ['/', '/breakdown', '/breakdown/european', '/dashboard', `/quote/edit/${uuid}`];
  known.push('/portal', '/retrieve-password', '/reset-password', '/confirm-email');
  known.push(`/payment/${uuid}`, `/payment/success/${uuid}`, `/policy/view/${uuid}`);
  for (const path of known) expect((await request.get(path)).status(), path).toBe(200);
  for (const path of ['/index.php', '/quote', '/policy/view/x/y', '/assets/none.js']) {
    expect((await request.get(path)).status(), path).toBe(404);
  }
});

test('a part of the website that does not arrive is asked for once more', async ({
  page,
  complaints,
}) => {
  complaints.tolerate(/net::ERR_FAILED/);
  complaints.tolerate(/Failed to fetch dynamically imported module/);
  let broken = true;
  await page.route('**/assets/Dashboard-*.js', (route) => {
    if (!broken) return route.continue();
    broken = false;
    return route.abort();
  });
  await page.goto('/dashboard');
  await expect(
    page.getByRole('heading', { name: 'Please Log in to proceed', level: 1 }),
  ).toBeVisible();

  await test.step('but not again and again', async () => {
    await page.route('**/assets/Dashboard-*.js', (route) => route.abort());
    await page.goto('/dashboard');
    await expect(
      page.getByText(
        'Oops, something went wrong! Please try again or call our team on 01632 960 123',
      ),
    ).toBeVisible();
    await expectAccessible(page, 'the page of a fault');
  });
});

test.describe('cookies', () => {
  test.use({ knowsCookies: false });

  test('are asked about until somebody answers', async ({ page, context }) => {
    await page.goto('/');
    const banner = page.getByRole('region', { name: 'Cookies' });
    await expect(banner).toContainText(
      'This site uses cookies to provide a better user experience.',
    );
    expect(await context.cookies()).toEqual([]);
    await page.reload();
    await banner.getByRole('button', { name: 'I Accept' }).click();
    await expect(banner).toBeHidden();
    expect(await context.cookies()).toMatchObject([{ name: 'layby_cookies', value: 'accepted' }]);
    await page.reload();
    await expect(page.getByRole('button', { name: /^Next/ })).toBeVisible();
    await expect(banner).toHaveCount(0);
  });
});
