import { DATE, expectTimeout, toDetails } from '../support/lookups.ts';
import { test } from '../support/services.ts';
import { expect } from '../support/test.ts';

test('a vehicle of the register is no sample, and its MOT is pointed out', async ({ form }) => {
  const { vehicle } = await toDetails(form);
  await vehicle.getByLabel('Registration number').fill('AB19 CDE');
  await vehicle.getByRole('button', { name: 'Find my vehicle' }).click();
  const question = vehicle.getByRole('region', { name: 'Is this your vehicle?' });
  for (const text of ['Ford', 'Red', 'Petrol', 'March 2019']) {
    await expect(question.getByText(text, { exact: true })).toBeVisible();
  }
  await expect(question).toContainText('Its MOT ran out on 30/09/2026.');
  await expect(question).not.toContainText('sample');
  await question.getByRole('button', { name: 'Yes, it is' }).click();
  await expect(vehicle.getByRole('region', { name: 'Your vehicle' })).toBeVisible();
  await expect(vehicle.getByLabel(DATE)).toHaveCount(0);
});

const FAILURES = {
  SLO: 'never answers',
  END: 'hangs up',
  HTM: 'answers markup',
  OTH: "answers another plate's vehicle",
  MNY: 'was asked too often',
};
for (const [letters, message] of Object.entries(FAILURES)) {
  test(`a register that ${message} leads to the fields to type into`, async ({ page, form }) => {
    await page.clock.install();
    const { vehicle } = await toDetails(form);
    const plate = `AB19 ${letters}`;
    await vehicle.getByLabel('Registration number').fill(plate);
    await vehicle.getByRole('button', { name: 'Find my vehicle' }).click();
    await expectTimeout(page, vehicle);
    await expect(vehicle.getByLabel('Registration number')).toHaveValue(plate);
    await form.typeVehicle(vehicle);
    await vehicle.getByLabel(DATE).fill('14/04/2019');
    await expect(form.problem).toHaveCount(0);
  });
}

test('of five hundred addresses a hundred are shown, and a house narrows them to one', async ({
  page,
  form,
}) => {
  const { about } = await toDetails(form);
  await about.getByLabel('Postcode', { exact: true }).fill('LS6 1AB');
  await about.getByRole('button', { name: 'Find address' }).click();
  const list = about.getByRole('group', { name: 'Choose your address' });
  await expect(list.getByRole('radio')).toHaveCount(100);
  // The list has its own scroll bar, so that the content after it stays near.
  expect((await list.boundingBox())?.height).toBeLessThan(500);
  await about.getByLabel('House number or name').fill('487');
  await page.keyboard.press('Enter');
  await expect(about.getByText('We found one address and filled it in.')).toBeVisible();
  await expect(about.getByText('487 Acacia Avenue')).toBeVisible();
  await expect(about.getByText('sample')).toHaveCount(0);
  // The map of the first step starts at that house.
  await form.back.click();
  await form.expectStep('Cover type');
  await expect(page.getByRole('figure')).toContainText('Your home');
});
