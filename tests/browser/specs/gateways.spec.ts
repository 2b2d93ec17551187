import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.ts';
import { bringAlong } from '../support/calls.ts';
import { showTime } from '../support/clock.ts';
import { press, tabTo } from '../support/keyboard.ts';
import { expectSuccess, payByCard } from '../support/payment.ts';
import { CARDS } from '../support/people.ts';
import { test } from '../support/stripe.ts';
import { noteForeign, runTags } from '../support/tags.ts';
import { expect } from '../support/test.ts';

const wayTo = (page: Page) => page.getByRole('link', { name: 'Continue to Stripe' });
const choice = (page: Page) => page.getByRole('group', { name: 'How would you like to pay?' });
const goOn = (page: Page) => page.getByRole('button', { name: 'Continue', exact: true });
const stripes = (page: Page) => page.getByRole('heading', { name: "A stand-in for Stripe's page" });
const payThere = (page: Page) => page.getByRole('button', { name: /^Pay £/ });

test.describe('whoever accepted cookies', () => {
  test.use({ knowsCookies: false });

  test("pays on a gateway's own page: given up, gone back, declined and paid, and nobody's script runs", async ({
    page,
    context,
    calls,
    form,
    shop,
  }) => {
    const ran = await runTags(context);
    const quote = await calls.createQuote();
    await bringAlong(page, quote);
    const foreign = noteForeign(page, shop.address);

    await test.step('the quote is read, accepted and left for the payment', async () => {
      await form.open(`/quote/edit/${quote.uuid}?step=last`);
      await page.getByRole('button', { name: 'I Accept' }).click();
      await expect(page.getByRole('region', { name: 'Cookies' })).toBeHidden();
      expect(ran, 'tags in a document that was loaded without consent').toEqual([]);
      await page.reload();
      await expect.poll(() => ran).toEqual([`/quote/edit/${quote.uuid}`]);
      await page.getByRole('checkbox', { name: /^I agree to the statements above/ }).check();
      await form.pay.click();
      await expect(page).toHaveURL(`/payment/${quote.uuid}`);
    });

    await test.step('given up there, the payment can be gone on with', async () => {
      await expect(choice(page).getByRole('radio', { name: 'Stripe' })).toBeChecked();
      await expectAccessible(page, 'the choice of a gateway');
      await press(page, goOn(page));
      await expect(stripes(page)).toBeVisible();
      await page.getByRole('link', { name: 'Cancel' }).click();
      await expect(page).toHaveURL(`/payment/${quote.uuid}?gateway=stripe&left`);
      await expect(
        page.getByText(
          'You came back from Stripe, and we have had no word of a payment. You can go on paying, or pay another way.',
        ),
      ).toBeVisible();
      await expect(page.getByText(/No charge/)).toHaveCount(0);
      await expectAccessible(page, 'the payment that was given up');
    });

    await test.step("so it can after the browser's Back, and after a card was declined", async () => {
      await wayTo(page).click();
      await expect(stripes(page)).toBeVisible();
      await page.goBack();
      const declined = (await wayTo(page).getAttribute('href')) ?? '';
      await wayTo(page).click();
      await page.getByRole('button', { name: 'Decline' }).click();
      await expect(page.getByText(/Your card was declined/)).toBeVisible();
      await page.getByRole('link', { name: 'Cancel' }).click();
      await expect(page).toHaveURL(/&left$/);
      // A page that declined may take no other card, so there is a new one.
      await expect(wayTo(page)).not.toHaveAttribute('href', declined);
    });

    await test.step('another card pays, by the keyboard', async () => {
      await press(page, wayTo(page));
      await payThere(page).press('Enter');
      await expectSuccess(page);
      await expect(page.locator('script:not([src^="/"], [type="application/json"])')).toHaveCount(0);
      await expect(page.locator('#layby-tag-manager')).toHaveCount(0);
    });

    expect(foreign, 'what was loaded from elsewhere while paying').toEqual([]);
    expect(ran).toEqual([`/quote/edit/${quote.uuid}`]);
    await page.getByRole('link', { name: 'View your policy' }).first().click();
    await expect.poll(() => ran).toContain(`/policy/view/${quote.uuid}`);
    await context.unrouteAll({ behavior: 'ignoreErrors' });
  });
});

test('paid on a telephone that forgot the shop, the truth is told by the mailed link and the account', async ({
  page,
  browser,
  calls,
  customers,
  mailbox,
  shop,
}) => {
  const customer = await customers.create();
  const quote = await calls.createQuote({ values: { email_primary: customer.email } });
  const mailed = await mailbox.link(customer.email, `/quote/edit/${quote.uuid}`);
  await calls.accept(quote);
  await bringAlong(page, quote);
  await page.goto(`/payment/${quote.uuid}`);
  await goOn(page).click();
  await expect(stripes(page)).toBeVisible();

  // The browser that started the payment has lost its storage and cookies.
  const viewport = page.viewportSize() ?? { width: 360, height: 740 };
  const forgetful = await browser.newContext({ baseURL: shop.address, viewport });
  await showTime(forgetful);
  await forgetful.addCookies([{ name: 'layby_cookies', value: 'refused', url: shop.address }]);
  const phone = await forgetful.newPage();
  await phone.goto(page.url());
  await payThere(phone).click();
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
  const quote = await calls.createQuote();
  await calls.accept(quote);
  await bringAlong(page, quote);
  await page.goto(`/payment/${quote.uuid}`);
  await tabTo(page, choice(page).getByRole('radio', { name: 'Stripe' }));
  await page.keyboard.press('ArrowDown');
  await expect(choice(page).getByRole('radio', { name: 'Test gateway' })).toBeChecked();
  await press(page, goOn(page));
  await expect(page).toHaveURL(`/payment/${quote.uuid}?gateway=sandbox&started=1`);
  await expect(page.getByTitle('Card payment')).toBeVisible();
  await expectAccessible(page, 'the chosen gateway');

  await test.step("a gateway's way back leads out of the frame, to the page that asks", async () => {
    await page.evaluate((way) => {
      const frame = document.createElement('iframe');
      frame.src = way;
      document.body.append(frame);
    }, `/gateway/sandbox/return/${quote.uuid}`);
    await expect(page).toHaveURL(`/payment/processing/${quote.uuid}`);
    await page.getByRole('link', { name: 'go on paying' }).click();
  });

  await goOn(page).click();
  await expect(stripes(page)).toBeVisible();
  await page.goBack();
  await page.getByRole('link', { name: 'Pay another way' }).click();
  await choice(page).getByRole('radio', { name: 'Test gateway' }).check();
  await goOn(page).click();
  await payByCard(page, CARDS.paid);
  await expectSuccess(page);
});
