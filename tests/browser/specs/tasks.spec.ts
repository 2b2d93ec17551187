import { expectAccessible } from '../support/accessibility.ts';
import { wire } from '../support/dates.ts';
import { CAR, VAN } from '../support/people.ts';
import { expect, test } from '../support/test.ts';

const DAYS_IN = 40;

/** A car in a request. */
const SENT = {
  vehicle_type: 1,
  vehicle_registration: CAR.registration,
  vehicle_registration_date: '14.04.2021',
};

test('a policy is changed by tasks, and the price moves while somebody types', async ({
  page,
  shop,
  customers,
  form,
}) => {
  await shop.openInThePast(DAYS_IN + 2);
  const customer = await customers.create({
    isPaid: true,
    values: { cover_type: 2, start_date: wire(-DAYS_IN) },
    vehicles: [SENT],
  });
  await shop.openToday();
  await customers.logIn(page, customer);
  const policy = `/policy/view/${customer.quote.uuid}`;
  const heading = (name: string) => page.getByRole('heading', { name, level: 1 });
  const begin = async (task: string) => {
    await page.goto(policy);
    await page.getByRole('link', { name: task }).click();
    await expect(heading(task)).toBeVisible();
  };
  const livePrice = page.getByRole('status').filter({ hasText: /price/ });

  await test.step('another level: the price and what is due, before anything is asked for', async () => {
    await begin('Change level');
    await expect(page.getByRole('region', { name: 'About you' })).toHaveCount(0);
    await expect(page.getByText(/£[\d.]+ to pay today/)).not.toHaveCount(0);
    await expect(page.getByText('Your cover now')).toHaveCount(1);
    await form.choose('How much cover do you need?', 'National and home');
    await expect(livePrice).toContainText(/Your new price.*£[\d.]+\/year.*To pay today.*£[\d.]+/s);
    const due = /To pay today\s*£([\d.]+)/.exec(await livePrice.innerText())?.[1] ?? '';
    await expectAccessible(page, 'another level');
    await form.choose('How much cover do you need?', 'Local');
    await expect(livePrice).toContainText('Comes back to you');
    await form.choose('How much cover do you need?', 'National and home');
    await expect(livePrice).toContainText('To pay today');
    await page.getByRole('button', { name: 'See the new price' }).click();
    await expect(heading('Your new price')).toBeVisible();
    await expect(page.getByRole('button', { name: `Accept and pay £${due}` })).toBeVisible();
    await page.goBack();
    await expect(heading('Change level')).toBeVisible();
  });

  await test.step('a vehicle more', async () => {
    await begin('Add a vehicle');
    await expect(livePrice).toContainText('Fill in the rest');
    await form.fillVehicle(2, VAN);
    await expect(livePrice).toContainText('To pay today');
    await expectAccessible(page, 'a vehicle more');
  });

  await test.step('another vehicle in place of the one', async () => {
    await begin('Swap a vehicle');
    await expect(page.getByLabel('Registration number')).toHaveValue('');
    await form.fillVehicle(1, VAN);
    await expect(livePrice).toContainText('Your new price');
  });

  await test.step('a new address costs nothing and is saved at once', async () => {
    await begin('Move house');
    await expect(page.getByLabel('First name')).toHaveCount(0);
    const postcode = page.getByRole('textbox', { name: 'Postcode' });
    await expect(postcode).toBeFocused();
    await postcode.fill('EH1 1YZ');
    await page.getByRole('button', { name: 'Type the address' }).click();
    await page.getByRole('textbox', { name: 'Address' }).fill('2 Mill Lane\nEdinburgh');
    await expect(page.getByText('This does not change your price.')).toBeVisible();
    const reloaded = page.waitForEvent('load');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await reloaded;
    await expect(heading('Your change is made')).toBeVisible();
    await expect(page.getByRole('region', { name: 'What changed' })).toContainText('EH1 1YZ');
    await expect(page.getByText('Your new documents are being made')).toBeVisible();
  });

  await test.step('the whole form is one press away, with what was typed', async () => {
    await begin('Change level');
    await form.choose('How much cover do you need?', 'Local');
    await page.getByRole('button', { name: 'Change anything else' }).click();
    await expect(heading('Change your cover')).toBeVisible();
    await expect(form.choice('How much cover do you need?', 'Local')).toBeChecked();
    await expect(form.card('About you')).toBeVisible();
  });
});
