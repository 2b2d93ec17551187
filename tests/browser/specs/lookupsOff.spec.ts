import { expectAccessible } from '../support/accessibility.ts';
import { toDetails } from '../support/lookups.ts';
import { expect, test } from '../support/test.ts';

test.use({ settings: '[lookup]\nvehicle = "off"\naddress = "off"\n' });

test('a shop without look-ups has everything typed, with no word of a fault more than once', async ({
  page,
  form,
}) => {
  const { about, vehicle } = await toDetails(form);
  await vehicle.getByLabel('Registration number').fill('AB12 CDE');
  await vehicle.getByRole('button', { name: 'Find my vehicle' }).click();
  await expect(vehicle.getByText("We couldn't look up your vehicle just now.")).toHaveCount(1);
  await vehicle.getByRole('button', { name: 'Yes', exact: true }).click();
  await expect(
    vehicle.getByText('First registered March to August 2012', { exact: true }),
  ).toBeVisible();
  await about.getByLabel('Postcode', { exact: true }).fill('BA1 2QP');
  await about.getByLabel('House number or name').fill('12');
  await page.keyboard.press('Enter');
  await expect(about.getByText("We couldn't look up addresses just now.")).toHaveCount(1);
  await expect(about.getByLabel('Address', { exact: true })).toBeFocused();
  await expect(about.getByLabel('Address', { exact: true })).toHaveValue('12');
  await expect(about.getByLabel('Postcode', { exact: true })).toHaveValue('BA1 2QP');
  await expectAccessible(page, 'what is typed without look-ups');
});
