import type { BrowserContext, Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.ts';
import { bringAlong, type Quote } from '../support/calls.ts';
import { long } from '../support/dates.ts';
import { ANN, CARDS } from '../support/people.ts';
import { expect, test } from '../support/test.ts';

/** Returns everything that the website has stored in a browser, by its kind. */
function storedData(page: Page) {
  return page.evaluate(async () => ({
    caches: await caches.keys(),
    workers: (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope),
    databases: (await indexedDB.databases()).map(({ name }) => name),
    kept: Object.keys(localStorage).filter((key) => /card/i.test(key)),
  }));
}

const EMPTY = { caches: [], workers: [], databases: [], kept: [] };

/** Waits until the card opens offline, with its documents. */
async function ready(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready);
  const workers = () =>
    page.evaluate(async () =>
      (await navigator.serviceWorker.getRegistrations()).filter(({ active }) => active).length,
    );
  await expect.poll(workers).toBe(2);
  await expect(page.getByText('on its way')).toHaveCount(0);
  await expect
    .poll(() => page.evaluate(async () => Boolean(await caches.match('/rescue-card'))))
    .toBe(true);
}

/** Stores the card of a bought policy, from the page after the payment. */
async function storeCard(page: Page, quote: Quote): Promise<void> {
  await bringAlong(page, quote);
  await page.goto(`/payment/success/${quote.uuid}`);
  const button = page.getByRole('button', { name: 'Keep this on my phone' });
  await expect(button).toBeVisible();
  expect(await storedData(page)).toEqual(EMPTY);
  await button.click();
  await expect(page).toHaveURL(/\/rescue-card$/);
  await ready(page);
}

async function offline(context: BrowserContext, page: Page): Promise<void> {
  await context.setOffline(true);
  await page.reload();
}

test.describe('the rescue card', () => {
  // The browser logs each failed offline request to its console.
  test.beforeEach(({ complaints }) => complaints.tolerate(/ERR_INTERNET_DISCONNECTED/));

  test('is kept by one tap, opens without a network, and leaves nothing when it is removed', async ({
    page,
    context,
    calls,
  }) => {
    const quote = await calls.createQuote();
    await calls.payFor(quote, CARDS.paid);
    await storeCard(page, quote);

    await test.step('it has the number, the policy and when its cover begins', async () => {
      const main = page.getByRole('main');
      await expect(main).toContainText('Not yet covered');
      await expect(main).toContainText(long(1));
      await expect(main).toContainText(quote.customId);
      await expect(main).not.toContainText(ANN.last);
      const call = page.getByRole('link', { name: /^Call for help/ });
      await expect(call).toHaveAttribute('href', 'tel:01632960999');
      await expect(call).toBeInViewport();
      await expectAccessible(page, 'the rescue card');
    });

    await test.step('without a network it opens all the same, with its documents', async () => {
      await offline(context, page);
      await expect(page.getByText(quote.customId)).toBeVisible();
      await expect(page.getByText(/^No answer from us just now/)).toBeVisible();
      const font = await page.evaluate(() => document.fonts.check('1rem "Inter Variable"'));
      expect(font).toBe(true);
      const schedule = page.getByRole('link', { name: 'Policy Schedule' });
      const path = (await schedule.getAttribute('href')) ?? '';
      const begins = await page.evaluate(
        async (path) => (await (await fetch(path)).text()).slice(0, 5),
        path,
      );
      expect(begins).toBe('%PDF-');
      await expectAccessible(page, 'the rescue card without a network');
    });

    await test.step('without a network any other address opens it, and with one that page', async () => {
      const elsewhere = await context.newPage();
      await elsewhere.goto('/portal');
      await expect(elsewhere).toHaveURL(/\/rescue-card$/);
      await expect(elsewhere.getByText(quote.customId)).toBeVisible();
      await context.setOffline(false);
      await elsewhere.goto('/portal');
      await expect(elsewhere).toHaveURL(/\/portal$/);
      await elsewhere.close();
    });

    await test.step('removed, nothing is left of it', async () => {
      await page.reload();
      await page.getByRole('button', { name: 'Remove this card' }).click();
      await expect(page.getByRole('heading', { name: 'No rescue card is kept here' })).toBeVisible();
      await expectAccessible(page, 'no rescue card');
      await page.reload();
      await expect(page.getByRole('heading', { name: 'No rescue card is kept here' })).toBeVisible();
      expect(await storedData(page)).toEqual(EMPTY);
    });
  });

  test('says where its holder is by a text message, and only pages for a breakdown may ask', async ({
    page,
    context,
    calls,
    complaints,
  }) => {
    complaints.tolerate(/Geolocation access has been blocked because of a permissions policy/);
    const quote = await calls.createQuote();
    await calls.payFor(quote, CARDS.paid);
    await storeCard(page, quote);
    await context.grantPermissions(['geolocation']);
    await context.setGeolocation({ latitude: 51.38114, longitude: -2.35903, accuracy: 8 });
    await offline(context, page);
    await page.getByRole('button', { name: 'Find where I am' }).click();
    await expect(page.getByText('51.38114, -2.35903')).toBeVisible();
    const link = page.getByRole('link', { name: /^Text it/ });
    const href = decodeURIComponent((await link.getAttribute('href')) ?? '');
    expect(href).toContain(`sms:?&body=I have broken down. Policy ${quote.customId}.`);
    await expectAccessible(page, 'the rescue card with a place');

    await context.setOffline(false);
    await page.goto('/portal');
    const elsewhere = await page.evaluate(
      () =>
        new Promise<number>((resolve) =>
          navigator.geolocation.getCurrentPosition(
            () => resolve(0),
            ({ code }) => resolve(code),
          ),
        ),
    );
    expect(elsewhere, 'this page may not ask').toBe(1);
  });

  test('of a policy that was cancelled says so at the next connection', async ({
    page,
    context,
    customers,
    shop,
  }) => {
    const customer = await customers.create({ isPaid: true });
    await customers.logIn(page, customer);
    await page.goto(`/policy/view/${customer.quote.uuid}`);
    await page.getByRole('button', { name: 'Keep this on my phone' }).click();
    await expect(page).toHaveURL(/\/rescue-card$/);
    await ready(page);
    await offline(context, page);
    await expect(page.getByText('Not yet covered')).toBeVisible();

    // Another browser has cancelled the policy meanwhile.
    const undone = await page.request.put(`/api/v1/policy/ntu/${customer.quote.uuid}`, {
      headers: { Origin: shop.address },
    });
    expect(undone.ok(), await undone.text()).toBe(true);
    await page.reload();
    await expect(page.getByText('Not yet covered')).toBeVisible();
    await context.setOffline(false);
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await expect(page.getByText('This policy was cancelled. It covers nothing.')).toBeVisible();
    await expectAccessible(page, 'the rescue card of a cancelled policy');
  });

  test('that is stopped removes itself, and so does a log-out', async ({
    page,
    account,
    complaints,
    customers,
  }) => {
    // A read with the revoked key gets a 401, and so does the page's read during the logout.
    complaints.tolerate(/status of 401 .* \/api\/(v1\/rescue-card|v2\/policy\/read\/[0-9a-f-]+)$/);
    const customer = await customers.create({ isPaid: true });
    await customers.logIn(page, customer);
    const keepIt = async () => {
      await page.goto(`/policy/view/${customer.quote.uuid}`);
      await page.getByRole('button', { name: 'Keep this on my phone' }).click();
      await expect(page).toHaveURL(/\/rescue-card$/);
      await ready(page);
    };
    await keepIt();
    await page.goto(`/policy/view/${customer.quote.uuid}`);
    await page.getByRole('button', { name: /^Lost a phone/ }).click();
    await expect(page.getByText(/^One card is stopped/)).toBeVisible();
    await page.goto('/rescue-card');
    await expect(page.getByText('No longer valid')).toBeVisible();
    await expect(page.getByRole('link', { name: /^Call for help/ })).toBeVisible();
    await expectAccessible(page, 'a rescue card that was stopped');
    expect((await storedData(page)).caches).toEqual([]);

    await keepIt();
    await page.goto('/dashboard');
    await account.logOut();
    await expect(page.getByText(/rescue card that was kept on this device is removed/)).toBeVisible();
    expect(await storedData(page)).toEqual(EMPTY);
    await page.goto('/rescue-card');
    await expect(page.getByRole('heading', { name: 'No rescue card is kept here' })).toBeVisible();
  });
});
