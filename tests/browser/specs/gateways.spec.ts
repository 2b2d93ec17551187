import type { BrowserContext, Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.ts';
import { bringAlong } from '../support/calls.ts';
import { HostedPage } from '../support/hostedPage.ts';
import { press, tabTo } from '../support/keyboard.ts';
import { expectSuccess, payByCard } from '../support/payment.ts';
import { CARDS } from '../support/people.ts';
import { expect, test as base } from '../support/test.ts';

const test = base.extend<{ hosted: HostedPage }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs
  hosted: async ({}, use) => {
    const hosted = await HostedPage.start();
    await use(hosted);
    await hosted.stop();
  },
});

const TAGS = 'https://tags.example';

/**
 * Makes a shop that is tried out act as a real one with a tag manager does to whoever accepted cookies:
 * its settings, and its policy for all pages but those on which somebody pays.
 */
async function runTags(context: BrowserContext): Promise<string[]> {
  const ran: string[] = [];
  await context.route('**/api/v1/site', async (route) => {
    const response = await route.fetch();
    const { data } = (await response.json()) as { data: object };
    const tag_manager = { id: 'GTM-1', src: `${TAGS}/gtm.js` };
    return route.fulfill({ response, json: { data: { ...data, production: true, tag_manager } } });
  });
  await context.route(`${TAGS}/**`, (route) => {
    ran.push(new URL(route.request().frame().url()).pathname);
    return route.fulfill({ contentType: 'text/javascript', body: '' });
  });
  await context.route(/\/(quote|policy)\//, async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback();
    const response = await route.fetch();
    const policy = response.headers()['content-security-policy'] ?? '';
    const open = policy.replace("script-src 'self'", `script-src 'self' ${TAGS}`);
    return route.fulfill({
      response,
      headers: { ...response.headers(), 'content-security-policy': open },
    });
  });
  return ran;
}

/** Notes what a page loads while somebody pays: addresses of other hosts. */
function noteForeign(page: Page, shop: string): string[] {
  const foreign: string[] = [];
  page.on('request', (request) => {
    const frame = request.frame();
    if (request.isNavigationRequest() || !frame.url().startsWith(`${shop}/payment`)) return;
    if (!request.url().startsWith(`${shop}/`)) foreign.push(request.url());
  });
  return foreign;
}

const wayTo = (page: Page) => page.getByRole('link', { name: 'Continue to the test gateway' });

test.describe('whoever accepted cookies', () => {
  test.use({ knowsCookies: false });

  test("pays on a gateway's own page: given up, gone back, declined and paid, and nobody's script runs", async ({
    page,
    context,
    calls,
    form,
    hosted,
    shop,
  }) => {
    const ran = await runTags(context);
    await hosted.takeOver(page, shop.address);
    const quote = await calls.createQuote();
    await bringAlong(page, quote);
    const foreign = noteForeign(page, shop.address);

    await test.step('the quote is read, accepted and left for the payment', async () => {
      await form.open(`/quote/edit/${quote.uuid}?step=last`);
      await page.getByRole('button', { name: 'I Accept' }).click();
      await expect.poll(() => ran).toEqual([`/quote/edit/${quote.uuid}`]);
      await page.getByRole('checkbox', { name: /^I agree to the statements above/ }).check();
      await form.pay.click();
      await expect(page).toHaveURL(`/payment/${quote.uuid}`);
      await expect(wayTo(page)).toBeVisible();
      await expectAccessible(page, "the way to a gateway's page");
    });

    await test.step('given up there, the payment can be gone on with', async () => {
      await press(page, wayTo(page));
      await page.getByRole('link', { name: 'Cancel' }).click();
      await expect(page).toHaveURL(`/payment/${quote.uuid}?gateway=sandbox&left`);
      await expect(
        page.getByText(
          'You came back from the test gateway, and we have had no word of a payment. You can go on paying.',
        ),
      ).toBeVisible();
      await expect(page.getByText(/No charge/)).toHaveCount(0);
      await expectAccessible(page, 'the payment that was given up');
    });

    await test.step("so it can after the browser's Back", async () => {
      await wayTo(page).click();
      await expect(page.getByRole('heading', { name: 'Pay Example' })).toBeVisible();
      await page.goBack();
      await expect(wayTo(page)).toBeVisible();
    });

    await test.step('a card is declined, and no charge was made', async () => {
      await wayTo(page).click();
      await page.getByRole('button', { name: 'Decline' }).click();
      await expect(page).toHaveURL(`/payment/failure/${quote.uuid}`, { timeout: 30_000 });
      await expect(page.getByText('No charge was made to your card.')).toBeVisible();
      await page.getByRole('link', { name: 'Try again' }).click();
    });

    await test.step('another pays, by the keyboard', async () => {
      await press(page, wayTo(page));
      await page.getByRole('button', { name: 'Pay' }).press('Enter');
      await expectSuccess(page);
      await expect(page.locator('script:not([src^="/"])')).toHaveCount(0);
      await expect(page.locator('#layby-tag-manager')).toHaveCount(0);
    });

    expect(foreign, 'what was loaded from elsewhere while paying').toEqual([]);
    expect(ran).toEqual([`/quote/edit/${quote.uuid}`]);
    await page.getByRole('link', { name: 'View your policy' }).first().click();
    await expect.poll(() => ran).toContain(`/policy/view/${quote.uuid}`);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.unrouteAll({ behavior: 'ignoreErrors' });
  });
});

test('paid on a telephone that forgot the shop, the truth is told by the mailed link and the account', async ({
  page,
  browser,
  calls,
  customers,
  mailbox,
  hosted,
  shop,
  complaints,
}) => {
  complaints.tolerate(/status of 401 /);
  const customer = await customers.create();
  const quote = await calls.createQuote({ values: { email_primary: customer.email } });
  const mailed = await mailbox.link(customer.email, `/quote/edit/${quote.uuid}`);
  await calls.accept(quote);
  await bringAlong(page, quote);
  await hosted.takeOver(page, shop.address);
  await page.goto(`/payment/${quote.uuid}`);
  const away = (await wayTo(page).getAttribute('href')) ?? '';
  await page.unrouteAll({ behavior: 'ignoreErrors' });

  // Neither storage nor cookies are left of the browser in which the payment was begun.
  const { width, height } = page.viewportSize() ?? { width: 360, height: 740 };
  const forgetful = await browser.newContext({ baseURL: shop.address, viewport: { width, height } });
  await forgetful.addCookies([{ name: 'layby_cookies', value: 'refused', url: shop.address }]);
  const phone = await forgetful.newPage();
  await phone.goto(away);
  await phone.getByRole('button', { name: 'Pay' }).click();
  await expect(
    phone.getByRole('heading', { name: "We can't show this payment here", level: 1 }),
  ).toBeVisible();
  await expect(phone).toHaveURL(`/payment/processing/${quote.uuid}`);
  await expectAccessible(phone, 'a payment that is not shown');

  await test.step('the mailed link says that it is bought, and opens the payment', async () => {
    await mailbox.letter(customer.email, /policy/i);
    await phone.goto(mailed);
    await expect(phone.getByText(/^You have bought this cover\./)).toBeVisible();
    await phone.getByRole('link', { name: 'View your policy' }).click();
    await expect(phone.getByText(quote.customId).first()).toBeVisible();
    await phone.goto(`/payment/processing/${quote.uuid}`);
    await expectSuccess(phone);
  });

  await test.step('so does the account', async () => {
    await phone.evaluate(() => localStorage.clear());
    await customers.logIn(phone, customer);
    await phone.goto(`/payment/processing/${quote.uuid}`);
    await expectSuccess(phone);
  });
  await forgetful.close();
});

test('of two gateways one is chosen by name; the card is typed, or another is chosen', async ({
  page,
  calls,
}) => {
  await page.route('**/api/v1/site', async (route) => {
    const response = await route.fetch();
    const { data } = (await response.json()) as { data: object };
    const providers = ['sandbox', 'opayo'];
    return route.fulfill({ response, json: { data: { ...data, providers } } });
  });
  const quote = await calls.createQuote();
  await calls.accept(quote);
  await bringAlong(page, quote);
  await page.goto(`/payment/${quote.uuid}`);
  const asked = page.getByRole('group', { name: 'How would you like to pay?' });
  await expect(asked.getByRole('radio')).toHaveCount(2);
  await expect(asked.getByRole('radio', { name: 'Test gateway' })).toBeChecked();
  await expectAccessible(page, 'the choice of a gateway');
  await tabTo(page, asked.getByRole('radio', { name: 'Test gateway' }));
  await press(page, page.getByRole('button', { name: 'Continue' }));
  await expect(page).toHaveURL(`/payment/${quote.uuid}?gateway=sandbox&begun=1`);
  await expect(page.getByTitle('Card payment')).toBeVisible();
  await expectAccessible(page, 'the chosen gateway');
  await page.getByRole('link', { name: 'Pay another way' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await payByCard(page, CARDS.paid);
  await expectSuccess(page);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});
