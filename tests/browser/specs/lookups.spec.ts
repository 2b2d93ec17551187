import { expectAccessible } from '../support/accessibility.ts';
import { bringAlong } from '../support/calls.ts';
import { mockLookUp, DATE, expectTimeout, NOT_NOW, withoutResponse, toDetails } from '../support/lookups.ts';
import { expect, test } from '../support/test.ts';

test('a registration is looked up, by keyboard alone', async ({ page, form }) => {
  const { vehicle } = await toDetails(form);
  await expect(vehicle.getByLabel(DATE)).toHaveCount(0);
  await vehicle.getByLabel('Registration number').focus();
  await page.keyboard.type('ab12cde');
  await page.keyboard.press('Enter');
  const question = vehicle.getByRole('region', { name: 'Is this your vehicle?' });
  await expect(question).toContainText('2012');
  await expect(question).toContainText('This is sample data');
  await expect(vehicle.getByLabel('Registration number')).toHaveValue('AB12 CDE');
  await expectAccessible(page, 'a vehicle that was found');
  await question.getByRole('button', { name: 'Yes, it is' }).focus();
  await page.keyboard.press('Enter');
  await expect(vehicle.getByRole('region', { name: 'Your vehicle' })).toBeVisible();
  await expect(vehicle.getByLabel(DATE)).toHaveCount(0);
  await expectAccessible(page, 'a vehicle that was recognised');
});

test('a plate of any style is looked up', async ({ page, form }) => {
  const { vehicle } = await toDetails(form);
  const box = vehicle.getByLabel('Registration number');
  for (const [typed, written] of [
    ['ab12cde', 'AB12 CDE'],
    ['a123bcd', 'A123 BCD'],
    ['abc123d', 'ABC 123D'],
    ['a1', 'A 1'],
    ['1234ab', '1234 AB'],
    ['abz1234', 'ABZ 1234'],
    ['q123abc', 'Q123 ABC'],
  ] as const) {
    await box.fill(typed);
    await page.keyboard.press('Enter');
    const question = vehicle.getByRole('region', { name: 'Is this your vehicle?' });
    await expect(question, typed).toContainText(`what we say of ${written} is made up`);
    await expect(box).toHaveValue(written);
  }
  await box.fill('hello there');
  await page.keyboard.press('Enter');
  await expect(vehicle.getByText('Enter a UK registration number such as AB12 CDE')).toBeVisible();
  await expect(box).toHaveValue('HELLO THERE');
});

test('the first page asks whether the vehicle is the right one, and its prices are that one\'s', async ({
  page,
  form,
}) => {
  await form.open('/');
  const group = page.getByRole('group', { name: 'How much cover do you need?' });
  const local = group.getByText(/^£\d+\.\d\d\/year$/).first();
  const before = await local.textContent();
  await page.getByLabel('Your registration number').fill('AB12CDE');
  await page.getByRole('button', { name: 'See my cover' }).click();
  const question = page.getByRole('region', { name: 'Is this your vehicle?' });
  await expect(question).toBeInViewport();
  await expectAccessible(page, 'the first page with a vehicle that was found');
  await question.getByRole('button', { name: 'Yes, it is' }).click();
  await expect(page.getByRole('region', { name: 'Your vehicle' })).toBeVisible();
  await expect(group).toBeInViewport();
  await expect(group.getByText(/^Prices are for one new car/)).toHaveCount(0);
  await expect(local).not.toHaveText(before ?? '');
  await form.choose('How much cover do you need?', 'National');
  await form.goOn('Your details');
  const vehicle = form.card('Vehicle 1');
  await expect(vehicle.getByRole('region', { name: 'Your vehicle' })).toBeVisible();
});

test('another vehicle than was found is typed', async ({ form }) => {
  const { vehicle } = await toDetails(form);
  await vehicle.getByLabel('Registration number').fill('AB12 CDE');
  await form.typeVehicle(vehicle);
  await vehicle.getByLabel(DATE).fill('14/04/2014');
  await expect(vehicle.getByLabel('Make (optional)')).toHaveValue('');
});

test('an MOT or a tax that has run out is pointed out', async ({ form }) => {
  const { vehicle } = await toDetails(form);
  await vehicle.getByLabel('Registration number').fill('AA12 MOT');
  await vehicle.getByRole('button', { name: 'Find my vehicle' }).click();
  await expect(vehicle.getByText(/Its MOT ran out on \d\d\/\d\d\/\d{4}/)).toBeVisible();
  await vehicle.getByLabel('Registration number').fill('AA19 SRN');
  await vehicle.getByRole('button', { name: 'Find my vehicle' }).click();
  await expect(vehicle.getByText("It isn't taxed.")).toBeVisible();
});

test('without a look-up the plate tells the half-year', async ({ page, form }) => {
  const { vehicle } = await toDetails(form);
  await vehicle.getByLabel('Registration number').fill('ER19 THR');
  await vehicle.getByRole('button', { name: 'Find my vehicle' }).click();
  await expect(vehicle.getByText(NOT_NOW)).toBeVisible();
  await expect(vehicle.getByText('First registered March to August 2019?')).toBeVisible();
  await expectAccessible(page, 'what a plate tells');
  await vehicle.getByRole('button', { name: 'Yes', exact: true }).click();
  const month = vehicle.getByLabel(DATE);
  const period = vehicle.getByText('First registered March to August 2019', { exact: true });
  await expect(month.or(period)).toBeVisible();
});

test('an agreed half-year is said on coming back, and not its first day', async ({
  page,
  calls,
  form,
}) => {
  const quote = await calls.createQuote({
    values: { cover_type: 2 },
    vehicles: [
      {
        vehicle_type: 1,
        vehicle_registration: 'ER19 THR',
        vehicle_registration_date: '01.03.2019',
      },
    ],
  });
  await bringAlong(page, quote);
  await form.open(`/quote/edit/${quote.uuid}?step=4`);
  await expect(form.card('Check your answers')).toContainText('March to August 2019');
  await form.open(`/quote/edit/${quote.uuid}?step=2`);
  const vehicle = form.card('Vehicle 1');
  await expect(vehicle).toContainText('March to August 2019');
  await vehicle.getByRole('button', { name: 'Edit Details Vehicle 1' }).click();
  await expect(vehicle.getByText('First registered March to August 2019')).toBeVisible();
});

test('a vehicle that nobody knows is typed', async ({ form }) => {
  const { vehicle } = await toDetails(form);
  await vehicle.getByLabel('Registration number').fill('ER19 NFD');
  await vehicle.getByRole('button', { name: 'Find my vehicle' }).click();
  await expect(vehicle.getByText("We couldn't find ER19 NFD.")).toBeVisible();
  await form.typeVehicle(vehicle);
  await vehicle.getByLabel(DATE).fill('14/04/2019');
});

const OTHER = {
  'markup for a vehicle': '<!doctype html><title>Log in</title>',
  "another plate's vehicle": JSON.stringify({ data: { registration: 'ZZ12 ZZZ', make: 'FORD' } }),
};
for (const [name, body] of Object.entries(OTHER)) {
  test(`${name} leads to the fields to type into`, async ({ page, form }) => {
    await mockLookUp(page, 'vehicle', body);
    const { vehicle } = await toDetails(form);
    await vehicle.getByLabel('Registration number').fill('AB12 CDE');
    await vehicle.getByRole('button', { name: 'Find my vehicle' }).click();
    await expect(vehicle.getByText(NOT_NOW)).toBeVisible();
    await expect(vehicle.getByLabel('Registration number')).toHaveValue('AB12 CDE');
    await form.typeVehicle(vehicle);
    await expect(vehicle.getByLabel(DATE)).toBeVisible();
  });
}

test('a look-up without an answer is given up, and the details are typed', async ({ page, form }) => {
  const { cancelled: givenUp } = await withoutResponse(page);
  await page.clock.install();
  const { vehicle } = await toDetails(form);
  await vehicle.getByLabel('Registration number').fill('AB12 CDE');
  await vehicle.getByRole('button', { name: 'Find my vehicle' }).click();
  await expect(vehicle.getByText('Looking for your vehicle…')).toBeVisible();
  await expectTimeout(page, vehicle);
  await givenUp;
  await form.typeVehicle(vehicle);
  await vehicle.getByLabel(DATE).fill('14/04/2012');
  await expect(vehicle.getByText('Is this your vehicle?')).toHaveCount(0);
  await expect(vehicle.getByLabel(DATE)).toHaveValue('14/04/2012');
});

test('an address is chosen among those of its postcode', async ({ page, form }) => {
  const { about } = await toDetails(form);
  await about.getByLabel('Postcode', { exact: true }).fill('ba1 2qp');
  await about.getByRole('button', { name: 'Find address' }).click();
  const list = about.getByRole('group', { name: 'Choose your address' });
  await expect(list.getByRole('radio').first()).toBeVisible();
  await expect(about.getByText('This is sample data')).toBeVisible();
  await expectAccessible(page, 'addresses to choose from');
  await list.getByRole('radio').nth(2).check();
  await about.getByRole('button', { name: 'Change this address' }).click();
  await expect(about.getByLabel('Address', { exact: true })).toHaveValue(/^3 .*\nBath$/);
  await expect(about.getByLabel('Postcode', { exact: true })).toHaveValue('BA1 2QP');
});

test('a house that is not there has its neighbours suggested', async ({ form }) => {
  const { about } = await toDetails(form);
  await about.getByLabel('Postcode', { exact: true }).fill('BA1 2QP');
  await about.getByLabel('House number or name').fill('99');
  await about.getByLabel('House number or name').press('Enter');
  await expect(about.getByText('Did you mean one of these?')).toBeVisible();
  await about.getByRole('button', { name: /^7 / }).click();
  await expect(about.getByText('We found one address and filled it in.')).toBeVisible();
});

test('an address is chosen by keyboard alone', async ({ page, form }) => {
  const { about } = await toDetails(form);
  await about.getByLabel('Postcode', { exact: true }).focus();
  await page.keyboard.type('ba12qp');
  await page.keyboard.press('Enter');
  const list = about.getByRole('group', { name: 'Choose your address' });
  await expect(list.getByRole('radio')).not.toHaveCount(0);
  // House, button, list.
  for (const _ of ['house', 'button', 'list']) await page.keyboard.press('Tab');
  await expect(list.getByRole('radio').first()).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(list.getByRole('radio').nth(1)).toBeChecked();
});

test('an address whose postcode has one house is chosen by itself', async ({ page, form }) => {
  const { about } = await toDetails(form);
  await about.getByLabel('Postcode', { exact: true }).fill('BA1 9TT');
  await page.keyboard.press('Enter');
  await expect(about.getByText('We found one address and filled it in.')).toBeVisible();
  await expect(about.getByRole('radio')).toHaveCount(0);
});

test('a look-up is given up when the customer goes on', async ({ page, form }) => {
  const { cancelled: givenUp } = await withoutResponse(page);
  const { vehicle } = await toDetails(form);
  await vehicle.getByLabel('Registration number').fill('AB12 CDE');
  await vehicle.getByRole('button', { name: 'Find my vehicle' }).click();
  await form.back.click();
  await form.expectStep('Cover type');
  await givenUp;
  const question = { name: 'Your vehicle', exact: true };
  await expect(page.getByRole('region', question)).toHaveCount(0);
  await form.goOn('Your details');
  await expect(vehicle.getByLabel('Registration number')).toHaveValue('AB12 CDE');
  await expect(vehicle.getByRole('region', question)).toHaveCount(0);
});

test('addresses that can not be looked up are typed', async ({ page, form }) => {
  const { about } = await toDetails(form);
  const postcode = about.getByLabel('Postcode', { exact: true });
  await test.step('down', async () => {
    await postcode.fill('BA1 9YY');
    await about.getByLabel('House number or name').fill('12');
    await about.getByRole('button', { name: 'Find address' }).click();
    await expect(about.getByText("We couldn't look up addresses just now.")).toBeVisible();
    await expect(about.getByLabel('Address', { exact: true })).toHaveValue('12');
    await expectAccessible(page, 'an address that is typed');
  });
  await test.step('markup', async () => {
    await mockLookUp(page, 'address', '<!doctype html>');
    await about.getByRole('button', { name: 'Find the address by its postcode' }).click();
    await postcode.fill('BA1 2QP');
    await about.getByRole('button', { name: 'Find address' }).click();
    await expect(about.getByText("We couldn't look up addresses just now.")).toBeVisible();
    await page.unroute('**/api/v1/lookup/address');
  });
  await test.step('Jersey', async () => {
    await about.getByRole('button', { name: 'Find the address by its postcode' }).click();
    await postcode.fill('JE2 3AB');
    await about.getByRole('button', { name: 'Find address' }).click();
    await expect(about.getByText("We couldn't find that at JE2 3AB.")).toBeVisible();
    await expect(postcode).toHaveValue('JE2 3AB');
    await about.getByRole('button', { name: 'Type the address' }).click();
    await expect(about.getByLabel('Address', { exact: true })).toBeVisible();
  });
});
