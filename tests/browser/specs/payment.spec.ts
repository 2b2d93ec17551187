import { expectAccessible } from '../support/accessibility.ts';
import { bringAlong } from '../support/calls.ts';
import { cutNetwork } from '../support/offline.ts';
import { expectSuccess, payByCard } from '../support/payment.ts';
import { CARDS } from '../support/people.ts';
import { expect, test } from '../support/test.ts';

test('a bank that answers late is waited for', async ({ page, calls }) => {
  const quote = await calls.createQuote();
  await calls.accept(quote);
  await bringAlong(page, quote);

  // The bank responds only after the test has seen the waiting page.
  let waiting = true;
  await page.route('**/api/v1/payment/*', async (route) => {
    const response = await route.fetch();
    if (!waiting || !response.ok()) return route.fulfill({ response });
    const { data } = (await response.json()) as { data: object };
    return route.fulfill({
      response,
      json: { data: { ...data, status: 'processing', policy: false } },
    });
  });

  await page.goto(`/payment/${quote.uuid}`);
  await payByCard(page, CARDS.late);
  await expect(
    page.getByRole('heading', { name: 'Confirming your payment', level: 1 }),
  ).toBeVisible();
  await expect(page).toHaveURL(`/payment/processing/${quote.uuid}`);
  await expectAccessible(page, 'the page that waits for the bank');
  waiting = false;
  await expectSuccess(page);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('a bank that says no leaves the quote as it was', async ({ page, calls, form }) => {
  const quote = await calls.createQuote();
  await calls.accept(quote);
  await bringAlong(page, quote);
  await page.goto(`/payment/${quote.uuid}`);
  await payByCard(page, CARDS.challenge);
  const frame = page.getByTitle('Card payment').contentFrame();
  await frame.getByRole('button', { name: 'Reject' }).click();
  await expect(
    page.getByRole('heading', { name: 'Your payment did not go through', level: 1 }),
  ).toBeVisible({ timeout: 30_000 });
  await page.getByRole('link', { name: 'Back to your quote' }).click();
  await form.readSummary((summary) =>
    expect(summary.getByText(`Quote ID: ${quote.customId}`)).toBeVisible(),
  );
});

test('a card form whose network is gone says so, and is there again with the network', async ({
  page,
  calls,
  complaints,
}) => {
  complaints.tolerate(/net::ERR_(FAILED|INTERNET_DISCONNECTED)/);
  const quote = await calls.createQuote();
  await calls.accept(quote);
  await bringAlong(page, quote);
  const loadError = page.getByRole('alert').filter({ hasText: 'The card payment did not load.' });
  const number = page.getByTitle('Card payment').contentFrame().getByLabel('Card number');

  await test.step('a gateway that cannot be reached is tried again', async () => {
    const form = '**/gateway/sandbox/pay/**';
    await page.route(form, (route) => route.abort());
    await page.goto(`/payment/${quote.uuid}`);
    await expect(loadError).toBeVisible();
    await expectAccessible(page, 'a card form that is lost');
    await page.unroute(form);
    await loadError.getByRole('button', { name: 'Try again' }).click();
    await expect(number).toBeVisible();
    await expect(loadError).toBeHidden();
  });

  await test.step('a network that goes as the card is sent is waited for', async () => {
    const restore = await cutNetwork(page, '**/gateway/sandbox/**');
    await payByCard(page, CARDS.paid);
    await expect(loadError).toContainText('Nothing was taken unless you had pressed Pay.');
    await restore();
    await expect(number).toBeVisible();
    await expect(loadError).toBeHidden();
  });

  await payByCard(page, CARDS.paid);
  await expectSuccess(page);
});

test('what is bought can be neither paid for nor edited again', async ({ page, calls }) => {
  const quote = await calls.createQuote();
  await calls.payFor(quote, CARDS.paid);
  await bringAlong(page, quote);
  await page.goto(`/payment/${quote.uuid}`);
  await expect(page).toHaveURL(`/policy/view/${quote.uuid}`);
  await page.goto(`/quote/edit/${quote.uuid}`);
  await expect(
    page.getByRole('heading', { name: 'Log in to change your cover', level: 1 }),
  ).toBeVisible();
});

for (const last of [true, false]) {
  test(`the wish to renew is shown as it was agreed, and sold as it was changed to ${last}`, async ({
    page,
    calls,
    form,
  }) => {
    const quote = await calls.createQuote();
    await bringAlong(page, quote);
    const renewalBox = page.getByRole('checkbox', { name: 'Renew my cover by itself each year' });
    const agreeAndPay = async (isTicked: boolean) => {
      await renewalBox.setChecked(isTicked);
      await page.getByRole('checkbox', { name: /accept the terms/ }).check();
      await form.pay.click();
      await expect(
        page.getByRole('heading', { name: 'Pay for your cover', level: 1 }),
      ).toBeVisible();
      await expect(page.getByTitle('Card payment')).toBeVisible();
    };
    await form.open(`/quote/edit/${quote.uuid}?step=4`);
    await expect(renewalBox).not.toBeChecked();
    await agreeAndPay(!last);
    await page.getByRole('link', { name: 'Back', exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`/quote/edit/${quote.uuid}`));
    await form.open(`/quote/edit/${quote.uuid}?step=4`);
    await expect(renewalBox).toBeChecked({ checked: !last });
    await agreeAndPay(last);
    await payByCard(page, CARDS.paid);
    await expectSuccess(page);
    const read = await page.request.get(`/api/v2/policy/read/${quote.uuid}`, {
      headers: { Authorization: `Bearer ${quote.token}` },
    });
    const { data } = (await read.json()) as { data: { policy: { auto_renew: boolean } } };
    expect(data.policy.auto_renew).toBe(last);
  });
}
