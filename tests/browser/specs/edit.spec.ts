import { expectAccessible } from '../support/accessibility.ts';
import { bringAlong } from '../support/calls.ts';
import { expect, test } from '../support/test.ts';

const LEVEL = 'How much cover do you need?';

test('a saved quote is read, changed and saved', async ({ page, calls, form }) => {
  const quote = await calls.createQuote();
  await bringAlong(page, quote);
  await form.open(`/quote/edit/${quote.uuid}`);
  const cover = form.card('Choose your cover');
  await expect(page.getByText('This is what we have saved for you.')).toBeVisible();
  await expect(cover.getByRole('definition').filter({ hasText: 'National' })).toBeVisible();
  const before = await form.premium();

  await page.getByRole('button', { name: 'Update my details' }).click();
  await form.choose(LEVEL, 'National and home');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await form.expectMessage('Quote updated successfully.');
  await expect(page.getByRole('button', { name: 'Update my details' })).toBeVisible();

  await page.reload();
  await expect(cover.getByText('National and home', { exact: true })).toBeVisible();
  await form.readSummary((summary) =>
    expect(summary.getByText(`Quote ID: ${quote.customId}`)).toBeVisible(),
  );
  await expect.poll(() => form.premium()).not.toBe(before);
});

test('a quote that was changed elsewhere is not overwritten', async ({
  page,
  calls,
  form,
  complaints,
}) => {
  complaints.tolerate(/status of 409 .* \/api\/v1\/quote\//);
  const quote = await calls.createQuote();
  await bringAlong(page, quote);
  await form.open(`/quote/edit/${quote.uuid}`);
  await page.getByRole('button', { name: 'Update my details' }).click();
  await calls.updateQuote(quote, { values: { cover_level: 1 } });

  await form.choose(LEVEL, 'European');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  const dialog = page.getByRole('dialog', { name: 'This quote was changed somewhere else' });
  await expect(dialog).toContainText('Reload it to see how it stands now?');

  await test.step('what was typed can be kept', async () => {
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    await expect(dialog).toBeHidden();
    await expect(form.choice(LEVEL, 'European')).toBeChecked();
  });

  await test.step('or left for what is saved now', async () => {
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await dialog.getByRole('button', { name: 'Reload' }).click();
    const cover = form.card('Choose your cover');
    await expect(cover.getByText('Local', { exact: true }).first()).toBeVisible();
  });
});

test('a quote of another browser is not shown', async ({ page, calls, complaints }) => {
  complaints.tolerate(/status of 40[14] .* \/api\/v2\/public\/quote\/read\//);
  const quote = await calls.createQuote();
  await page.goto(`/quote/edit/${quote.uuid}`);
  await expect(
    page.getByRole('heading', { name: "We can't open this quote here", level: 1 }),
  ).toBeVisible();
  await expect(page.getByText(quote.customId)).toHaveCount(0);
});

test('a vehicle that is too old is declined with a reason, and a slip can be put right', async ({
  page,
  calls,
  form,
}) => {
  const quote = await calls.createQuote({
    values: { cover_type: 2 },
    vehicles: [
      {
        vehicle_type: 1,
        vehicle_registration: 'AB05 CDE',
        vehicle_registration_date: '14.04.2005',
      },
    ],
  });
  await bringAlong(page, quote);
  await page.goto(`/quote/edit/${quote.uuid}`);
  await expect(
    page.getByRole('heading', { name: "We can't offer you this cover online", level: 1 }),
  ).toBeVisible();
  await expect(page.getByText(/over 15 years old when cover starts/)).toBeVisible();
  await expectAccessible(page, 'a declined quote');

  await page.getByRole('button', { name: 'Check your answers' }).click();
  await form.goOn('Your details');
  const vehicle = form.card('Vehicle 1');
  await vehicle.getByLabel('Registration number').fill('AB21 CDE');
  await form.typeVehicle(vehicle);
  await vehicle.getByLabel('Date of first registration').fill('14/04/2021');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await form.expectMessage('Quote updated successfully.');
  await form.premium();
});
