import { shownDate } from '../support/dates.ts';
import { expectSuccess, payByCard } from '../support/payment.ts';
import { CARDS } from '../support/people.ts';
import { expect, test } from '../support/test.ts';

test('European cover for two trips, with a card whose bank asks first', async ({ page, form }) => {
  const dates = `${shownDate(7)} to ${shownDate(40)}`;

  await test.step('a single trip asks for trips instead of a start date', async () => {
    await form.open('/');
    await form.chooseCover('Personal', 'European');
    await form.choose('How long do you need European cover for?', 'Single trip');
    await expect(page.getByLabel('When should your cover start?')).toHaveCount(0);
    await form.goOn('Your details');
    await form.fillPolicyholder();
    await form.fillTrip(1, 'France', shownDate(7), shownDate(14));
    await form.addAnother.last().click();
    await form.fillTrip(2, 'Ireland', shownDate(36), shownDate(40));
  });

  await test.step('removing a trip asks about a trip', async () => {
    const dialog = page.getByRole('dialog');
    await form
      .card('Trip 2')
      .getByRole('button', { name: /^Remove/ })
      .click();
    await expect(dialog).toContainText('Are you sure you wish to remove this trip?');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(form.card('Trip 2')).toBeVisible();
  });

  await test.step('the price is for the trip', async () => {
    await form.goOn('Options');
    await form.goOn('Payment');
    const premium = await form.premium('trip');
    await form.readSummary(async (summary) => {
      await expect(summary.getByText(`${premium}/trip`).first()).toBeVisible();
      await expect(summary.getByText(dates)).toBeVisible();
      await expect(summary.getByText('European cover', { exact: true })).toBeVisible();
    });
  });

  await test.step('the bank is asked, and says yes', async () => {
    await page.getByRole('checkbox', { name: /^I agree to the statements above/ }).check();
    await form.pay.click();
    await payByCard(page, CARDS.challenge);
    const frame = page.getByTitle('Card payment').contentFrame();
    await expect(frame.getByRole('heading', { name: 'Your bank asks: is it you?' })).toBeVisible();
    await frame.getByRole('button', { name: 'Approve' }).click();
    await expectSuccess(page);
  });

  await test.step('the policy lists both trips', async () => {
    await page.getByRole('link', { name: 'View your policy' }).click();
    const trips = form.card('Trips');
    await expect(trips).toContainText('France');
    await expect(trips).toContainText('Ireland');
    await expect(form.card('Dates')).toContainText(dates);
  });
});
