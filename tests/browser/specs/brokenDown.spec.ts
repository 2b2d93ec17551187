import { expectAccessible } from '../support/accessibility.ts';
import { long, wire } from '../support/dates.ts';
import { ANN, CAR, CARDS } from '../support/people.ts';
import { expect, test } from '../support/test.ts';

/** A vehicle in a request. */
const SENT = {
  vehicle_type: 1,
  vehicle_registration: CAR.registration,
  vehicle_registration_date: '14.04.2021',
};

test('the number comes first, and a plate or a number says whether there is cover', async ({
  page,
  calls,
  complaints,
}, info) => {
  const isWide = info.project.name === 'desktop';
  const quote = await calls.createQuote({
    values: { cover_type: 2, start_date: wire(3) },
    vehicles: [SENT],
  });
  await calls.payFor(quote, CARDS.paid);

  await test.step('the header leads there, behind the number', async () => {
    await page.goto('/portal');
    await page.getByRole('button', { name: isWide ? 'Broken down?' : 'Menu' }).click();
    await page.getByRole('link', { name: 'Check whether you are covered' }).click();
    await expect(page).toHaveURL(/\/broken-down$/);
    const call = page.getByRole('main').getByRole('link', { name: /^Call us now/ });
    await expect(call).toHaveAttribute('href', 'tel:01632960999');
    await expect(call).toBeInViewport();
    await expectAccessible(page, 'the page for the broken down');
  });

  await test.step('everybody sees where they are, to be read out or sent', async () => {
    await page.context().grantPermissions(['geolocation']);
    await page.context().setGeolocation({ latitude: 51.38114, longitude: -2.35903, accuracy: 8 });
    await page.getByRole('button', { name: 'Find where I am' }).click();
    await expect(page.getByText('51.38114, -2.35903')).toBeVisible();
    await expect(page.getByText('Within 8 metres.')).toBeVisible();
    await expectAccessible(page, 'where one is');
  });

  await test.step('without a network any address shows the number', async () => {
    complaints.tolerate(/ERR_INTERNET_DISCONNECTED/);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.context().setOffline(true);
    const elsewhere = await page.context().newPage();
    await elsewhere.goto('/dashboard');
    const call = elsewhere.getByRole('link', { name: /^Broken down\? Call us/ });
    await expect(call).toHaveAttribute('href', 'tel:01632960999');
    await expectAccessible(elsewhere, 'the page without a network');
    await elsewhere.close();
    await page.context().setOffline(false);
  });

  const result = page.getByRole('status').filter({ has: page.getByRole('heading') });
  const check = page.getByRole('button', { name: 'Check cover' });
  const plate = page.getByLabel('Registration number');
  const postcode = page.getByLabel('Postcode');

  await test.step('cover to come says from when', async () => {
    await plate.fill('ab21cde');
    await postcode.fill(ANN.postcode.toLowerCase());
    await check.click();
    await expect(result).toContainText('Not yet');
    await expect(result).toContainText(long(3));
    await expect(result).not.toContainText(ANN.last);
    await expectAccessible(page, 'cover that is to begin');
  });

  await test.step('another postcode finds nothing, and leads on to the policy number', async () => {
    await postcode.fill('SW1A 1AA');
    await expect(result).toBeHidden();
    await check.click();
    await expect(result).toContainText('We found no cover');
    await expectAccessible(page, 'cover that is not found');
    await result.getByRole('button', { name: 'Look by policy number' }).click();
  });

  await test.step('a policy number finds it too, by keyboard', async () => {
    await page.getByLabel('Policy number').last().fill(quote.customId);
    await postcode.fill(ANN.postcode);
    await page.keyboard.press('Enter');
    await expect(result).toContainText('Not yet');
  });

  await test.step('what can be no plate is said at its field', async () => {
    complaints.tolerate(/status of 422 .* \/api\/v1\/cover$/);
    await page.getByRole('radio', { name: 'Registration' }).check();
    await plate.fill('<b>');
    await check.click();
    await expect(page.getByText('Enter a UK registration number, such as AB12 CDE')).toBeVisible();
    await expect(plate).toBeFocused();
    await expectAccessible(page, 'a plate that can be none');
  });
});

test('cover for a person that runs is found by its policy number', async ({ page, customers, shop }) => {
  await shop.openInThePast(3);
  const { quote } = await customers.create({ isPaid: true, values: { start_date: wire(-2) } });
  await shop.openToday();
  await page.goto('/broken-down');
  await page.getByRole('radio', { name: 'Policy number' }).check();
  await page.getByRole('textbox', { name: 'Policy number' }).fill(quote.customId);
  await page.getByLabel('Postcode').fill(ANN.postcode);
  await page.getByRole('button', { name: 'Check cover' }).click();
  const result = page.getByRole('status').filter({ has: page.getByRole('heading') });
  await expect(result).toContainText('Yes, there is cover now');
  await expect(result.getByRole('link', { name: /^Call/ })).toHaveAttribute('href', 'tel:01632960999');
  await expectAccessible(page, 'cover that runs');
});
