import { expectAccessible } from '../support/accessibility.ts';
import { LINKS } from '../support/customers.ts';
import { expect, test } from '../support/test.ts';

test('of quotes that name different people the customer says which are theirs', async ({
  page,
  calls,
  customers,
  account,
  mailbox,
}) => {
  const customer = await customers.create();
  const { email } = customer;
  const own = await calls.createQuote({ values: { email_primary: email } });
  const planted = await calls.createQuote({
    values: { email_primary: email, first_name: 'Mallory', last_name: 'Stranger-With-A-Long-Name' },
  });
  await page.request.post('/api/v1/retrieve-password-request', { data: { username: email } });
  await mailbox.letter(email, /^Reset your .*password$/);
  const link = new URL(await mailbox.link(email, LINKS.password));
  const set = await page.request.post(
    `/api/v1/password/${link.searchParams.get('aid')}/reset`,
    { data: { issue: 0, password: customer.password, password_rpt: customer.password } },
  );
  expect(set.ok(), await set.text()).toBe(true);

  await customers.logIn(page, customer);
  await page.goto('/dashboard');
  const question = page.getByRole('region', { name: 'Are these quotes yours?' });
  await expect(question.getByRole('checkbox')).toHaveCount(2);
  await expect(question).toContainText(email);
  await expect(question).toContainText('for Mallory Stranger-With-A-Long-Name');
  await expectAccessible(page, 'the question whose quotes these are');

  await question.getByRole('checkbox', { name: own.customId }).focus();
  await page.keyboard.press('Space');
  await question.getByRole('button', { name: 'Add to my account' }).click();
  await expect(page.getByText('The quote is in your account now.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'My Account', level: 1 })).toBeFocused();
  await expect(question).toBeHidden();
  await page.reload();
  await expect(account.details).toBeVisible();
  await expect(question).toBeHidden();
  await account.tab('Quotes').click();
  await expect(page.getByText(own.customId).first()).toBeVisible();
  await expect(page.getByText(planted.customId)).toHaveCount(0);
});
