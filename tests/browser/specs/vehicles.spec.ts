import { expectSuccess, payByCard } from '../support/payment.ts';
import { BIKE, CAR, CARDS, VAN } from '../support/people.ts';
import { expect, test } from '../support/test.ts';

test('vehicle cover for three vehicles: a card is declined, the next one pays', async ({
  page,
  form,
}) => {
  const dialog = page.getByRole('dialog');

  await test.step('vehicles are added, removed and cleared, each after a question', async () => {
    await form.open('/breakdown/vehicle');
    await expect(form.choice('What would you like to cover?', 'Vehicle')).toBeChecked();
    await form.choose('How much cover do you need?', 'National and home');
    await form.goOn('Your details');
    await form.fillPolicyholder();
    await form.fillVehicle(1, CAR);

    await form
      .card('Vehicle 1')
      .getByRole('button', { name: /^Clear/ })
      .click();
    await expect(dialog).toContainText(
      "Are you sure you wish to clear all your vehicle's details?",
    );
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await form
      .card('Vehicle 1')
      .getByRole('button', { name: /^Clear/ })
      .click();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toBeHidden();
    await expect(form.card('Vehicle 1').getByLabel('Registration number')).toHaveValue(
      CAR.registration,
    );

    await form.addAnother.click();
    await form.fillVehicle(2, BIKE);
    await form.addAnother.click();
    await form.fillVehicle(3, VAN);
    await form
      .card('Vehicle 2')
      .getByRole('button', { name: /^Remove/ })
      .click();
    await expect(dialog).toContainText('Are you sure you wish to remove this vehicle?');
    await dialog.getByRole('button', { name: 'Yes' }).click();
    await expect(form.card('Vehicle 3')).toHaveCount(0);
    await expect(form.card('Vehicle 2').getByLabel('Registration number')).toHaveValue(
      VAN.registration,
    );
    await form.addAnother.click();
    await form.fillVehicle(3, BIKE);
  });

  const premium = await test.step('the summary names all three', async () => {
    await form.goOn('Options');
    await page.getByRole('checkbox', { name: 'Key cover' }).check();
    await form.goOn('Payment');
    await form.readSummary(async (summary) => {
      await expect(summary.getByText('AB21 CDE, CD68 EFG, LM22 XYZ')).toBeVisible();
      await expect(summary.getByText('National and home cover', { exact: true })).toBeVisible();
      await expect(summary.getByRole('listitem').filter({ hasText: 'Key cover' })).toBeVisible();
    });
    return form.premium();
  });

  await test.step('a declined card was not charged', async () => {
    await page.getByRole('checkbox', { name: /^I agree to the statements above/ }).check();
    await form.pay.click();
    await payByCard(page, CARDS.declined);
    await expect(
      page.getByRole('heading', { name: 'Your payment did not go through', level: 1 }),
    ).toBeVisible({ timeout: 30_000 });
    await expect(page).toHaveURL(/\/payment\/failure\//);
    await expect(page.getByText('No charge was made to your card.')).toBeVisible();
  });

  await test.step('another try asks for nothing but the card', async () => {
    await page.getByRole('link', { name: 'Try again' }).click();
    await expect(form.card('What you are buying')).toContainText(premium);
    await expect(form.card('What you are buying')).toContainText('AB21 CDE, CD68 EFG, LM22 XYZ');
    await payByCard(page, CARDS.paid);
    await expectSuccess(page);
    await page.getByRole('link', { name: 'View your policy' }).click();
    const vehicles = form.card('Vehicles');
    for (const vehicle of [CAR, VAN, BIKE]) {
      await expect(vehicles).toContainText(vehicle.registration);
    }
  });
});

test('a quote holds ten vehicles and no more', async ({ form }) => {
  await form.open('/breakdown/vehicle');
  await form.choose('How much cover do you need?', 'Local');
  await form.goOn('Your details');
  for (let number = 2; number <= 10; number += 1) {
    await form.addAnother.click();
    await expect(form.card(`Vehicle ${number}`)).toBeVisible();
  }
  await expect(form.addAnother).toBeDisabled();
});
