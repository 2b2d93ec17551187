import { resolve } from 'node:path';
import { expectAccessible } from '../support/accessibility.ts';
import { expectSuccess, payByCard } from '../support/payment.ts';
import { ANN, CARDS } from '../support/people.ts';
import { expect, test } from '../support/test.ts';

// A product file of the operator, with the same binary and website.
const FOLDER = resolve(import.meta.dirname, '../../fixtures/products');
test.use({ settings: `products.folder = ${JSON.stringify(FOLDER)}` });

test('a third product, one file in the folder, is listed, quoted and bought', async ({
  page,
  form,
}) => {
  await test.step('it is listed beside the others', async () => {
    await form.open('/');
    await page.getByRole('link', { name: 'Bicycle cover' }).click();
    await expect(page).toHaveURL(/\/cover\/bicycle$/);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('bicycles you ride');
    await expect(page.getByText('Theft and accidental damage')).toBeVisible();
  });

  await test.step('it has assumptions of its own', async () => {
    await page.getByRole('button', { name: 'Bicycle assumptions' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('locked to something');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(dialog).toBeHidden();
  });

  const premium = await test.step('step 10: two bicycles and a price', async () => {
    await form.choose('Which lock do you use?', 'Rated gold');
    await form.card('Bicycle 1').getByRole('radio', { name: 'Electric' }).check();
    await form.card('Bicycle 1').getByLabel('Value in pounds').fill('1500');
    await form.addAnother.click();
    await form.card('Bicycle 2').getByRole('radio', { name: 'Classic' }).check();
    await form.card('Bicycle 2').getByLabel('Value in pounds').fill('400');
    // (79 + 24) less 15 percent, and tax, as the file defines.
    await expect.poll(() => form.premium()).toBe('£98.06');
    await expectAccessible(page, 'a bicycle');
    await form.next.click();
    await expect(page).toHaveURL(/\?step=20$/);
    return form.premium();
  });

  await test.step('step 20: who, and the quote is saved', async () => {
    const card = form.card('About you');
    await card.getByLabel('First name').fill(ANN.first);
    await card.getByLabel('Last name').fill(ANN.last);
    await card.getByLabel('Email address').fill(ANN.email);
    await card.getByLabel('Postcode').fill(ANN.postcode);
    await form.next.click();
    await form.expectMessage('Quote created successfully.');
    await expect(page).toHaveURL(/\/quote\/edit\/[0-9a-f-]{36}\?step=30$/);
  });

  await test.step('step 30: declared, paid and live', async () => {
    await expect(form.card('Check your answers')).toContainText('Electric');
    await form.readSummary(async (summary) => {
      await expect(summary.getByText(/^Quote ID: BIC\d{9}$/)).toBeVisible();
      await expect(summary.getByText(`${premium}/year`).first()).toBeVisible();
    });
    await page.getByRole('checkbox', { name: /^I agree to the statement above/ }).check();
    await form.pay.click();
    await payByCard(page, CARDS.paid);
    await expectSuccess(page);
    // The product has no text for this, so the shop's default is shown.
    await expect(form.card('Need to claim?')).toContainText('Call us');
    await page.getByRole('link', { name: 'View your policy' }).click();
    await expect(page.getByRole('heading', { name: /^Policy ID: BIC\d{9}$/ })).toBeVisible();
    await expect(page.getByRole('main').getByText('Broken down?')).toHaveCount(0);
  });
});
