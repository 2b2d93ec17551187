import { expectAccessible } from '../support/accessibility.ts';
import { expect, test } from '../support/test.ts';

const SLASHES = /\d\d\/\d\d\/\d{4}/;

test('how dates are shown is chosen by keyboard, and every page follows', async ({
  page,
  account,
  customers,
}) => {
  const customer = await customers.create({ isPaid: true });
  const { uuid, customId } = customer.quote;
  await customers.logIn(page, customer);
  await page.goto('/dashboard');
  const main = page.getByRole('main');
  const choice = page.getByRole('region', { name: 'Dates and amounts' });
  await expect(choice).toBeVisible();
  const cards = page.getByRole('region', { name: 'Your policies' });
  await expect(cards).toContainText(SLASHES);

  const format = choice.getByLabel('Date format');
  await format.focus();
  await page.keyboard.type('2026-');
  await expect(format).toHaveValue('yyyy-MM-dd');
  await expect(choice.getByRole('status')).toContainText('2026-11-27, Friday 27 November 2026');
  await expect(cards).not.toContainText(SLASHES);
  await expect(cards).toContainText(/\d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d/);
  await expectAccessible(page, 'the choice of dates');

  await account.tab('Policies').click();
  await expect(main.getByText(customId).first()).toBeVisible();
  await expect(main).not.toContainText(SLASHES);
  await expect(main).toContainText(/\d{4}-\d\d-\d\d/);

  await page.goto(`/policy/view/${uuid}`);
  await expect(main).toContainText(/\d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d/);
  await expect(main).not.toContainText(SLASHES);

  // A typed date has the same format as a shown one.
  await page.goto('/');
  await page.getByRole('radio', { name: 'Vehicle' }).check();
  await page.getByRole('radio', { name: 'Local', exact: true }).check();
  await expect(page.getByLabel('When should your cover start?')).toHaveValue(/^\d{4}-\d\d-\d\d$/);
});
