import { expectAccessible } from '../support/accessibility.ts';
import { showTime } from '../support/clock.ts';
import { LINKS, newAddress } from '../support/customers.ts';
import { shownDate } from '../support/dates.ts';
import { PARTNER, sendRisk } from '../support/partner.ts';
import { expectSuccess, payByCard } from '../support/payment.ts';
import { ANN, CARDS } from '../support/people.ts';
import { expect, test } from '../support/test.ts';

test.use({ settings: PARTNER });

test('a click-through is completed and bought at the price that was sent', async ({
  page,
  form,
  request,
}) => {
  // The partner did not ask for a telephone number and an address.
  const response = await sendRisk(request, { tel_primary: undefined, address_primary: undefined });
  expect(response.status).toBe(30);

  await test.step('it opens with the partner’s name and the price it showed', async () => {
    await form.open(response.address);
    await expect(page).toHaveURL(/\/quote\/edit\/[0-9a-f-]{36}(\?step=\d)?$/);
    await form.readSummary(async (summary) => {
      await expect(summary.getByText('In association with:')).toBeVisible();
      await expect(summary.getByText('Compare Example', { exact: true })).toBeVisible();
      const logo = summary.locator('img[src="/favicon.svg"]');
      await expect.poll(() => logo.evaluate((img: HTMLImageElement) => img.naturalWidth)).not.toBe(0);
      await expect(summary.getByText(`${shownDate(3)} to ${shownDate(367)}`)).toBeVisible();
      await expect(summary.getByText(`${response.price}/year`).first()).toBeVisible();
    });
    await expectAccessible(page, 'a click-through');
  });

  await test.step('what is missing is asked for, at its own step', async () => {
    await form.expectStep('Your details');
    await expect(page.getByText('Some answers are still missing.')).toBeVisible();
    const card = form.card('About you');
    await expect(card.getByLabel('First name', { exact: true })).toHaveValue(ANN.first);
    await card.getByLabel('A mobile we can call at the roadside').fill(ANN.telephone);
    await form.typeAddress(card);
    await card.getByLabel('Address', { exact: true }).fill(ANN.address);
    await form.goOn('Options');
    await form.goOn('Payment');
    await expect.poll(() => form.premium()).toBe(response.price);
    await expect(page.getByText(/Compare Example showed you/)).toHaveCount(0);
  });

  await test.step('it is paid and live', async () => {
    await page.getByRole('checkbox', { name: /^I agree to the statements above/ }).check();
    await form.pay.click();
    await expect(form.card('What you are buying')).toContainText(response.price);
    await payByCard(page, CARDS.paid);
    await expectSuccess(page);
  });
});

test('a price that the answers change is said beside the one that was sent', async ({
  page,
  form,
  request,
}) => {
  const response = await sendRisk(request);
  await form.open(response.address);
  // No answer is missing, so the quote opens at its payment.
  await form.expectStep('Payment');
  await expect(form.pay).toHaveText(`Pay ${response.price} now`);
  await page.getByRole('button', { name: 'Change Cover type' }).click();
  await form.choose('How much cover do you need?', 'European');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await form.expectMessage('Quote updated successfully.');
  const notice = page.getByText(/^Compare Example showed you/);
  await expect(notice).toContainText(
    `${response.price} a year. The price is now ${await form.premium()} a year,`,
  );
  await expect(notice).toContainText('because your answers or the day have changed');
});

test('a click-through that was used offers to mail a link, which opens the quote', async ({
  browser,
  page,
  complaints,
  form,
  mailbox,
  request,
  baseURL,
}) => {
  const email = newAddress();
  const response = await sendRisk(request, { email_primary: email });

  await test.step('somebody has followed it in another browser', async () => {
    const otherContext = await browser.newContext({ baseURL });
    await showTime(otherContext);
    const first = await otherContext.newPage();
    await first.goto(response.address);
    await expect(first).toHaveURL(/\/quote\/edit\//);
    await otherContext.close();
  });

  await test.step('here it opens nothing', async () => {
    complaints.tolerate(/status of 409 .* \/api\/v2\/aggregator$/);
    await page.goto(response.address);
    await expect(page.getByRole('heading', { name: 'This link was used before' })).toBeVisible();
    await expect(page.getByText(ANN.last)).toHaveCount(0);
    await expectAccessible(page, 'a used click-through');
  });

  await test.step('a letter to the customer does', async () => {
    await page.getByRole('button', { name: 'Email me a link' }).click();
    await expect(page.getByText('We have sent the link.')).toBeVisible();
    await form.open(await mailbox.link(email, LINKS.resume));
    await form.readSummary(async (summary) => {
      await expect(summary.getByText('In association with:')).toBeVisible();
      await expect(summary.getByText(`${response.price}/year`).first()).toBeVisible();
    });
  });
});

test('a click-through that nobody was given leads on', async ({ page, complaints }) => {
  complaints.tolerate(/status of 404 .* \/api\/v2\/aggregator$/);
  await page.goto('/aggregator/00000000-0000-4000-8000-000000000001');
  await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Start a new quote' })).toBeVisible();
});
