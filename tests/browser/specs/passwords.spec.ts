import { expectAccessible } from '../support/accessibility.ts';
import { LINKS, newAddress } from '../support/customers.ts';
import { expect, test } from '../support/test.ts';

test.use({ seeded: true });

const NEW = 'Layby-2027-new';

test('a password is changed, and the next log-in is with the new one', async ({
  page,
  account,
  customers,
  mailbox,
  complaints,
}) => {
  complaints.tolerate(/status of 422 .* \/api\/(login|v1\/profile\/password)$/);
  const customer = await customers.create();
  await customers.logIn(page, customer);
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Change Password' }).click();
  const card = page.getByRole('region', { name: 'Change password', exact: true });
  const update = card.getByRole('button', { name: 'Update Password' });
  const old = account.password(card, 'Current Password');
  const newPassword = account.password(card, 'New Password');
  const repeat = account.password(card, 'Repeat New Password');

  await test.step('only what keeps to the rule can be sent', async () => {
    await expect(update).toBeDisabled();
    await old.fill('Not-the-0ne');
    await newPassword.fill('too-simple');
    await repeat.fill('other');
    await repeat.blur();
    await expect(card.getByText(/^Password must contain an uppercase character,/)).toBeVisible();
    await expect(card.getByText("Passwords don't match")).toBeVisible();
    await expect(update).toBeDisabled();
    await expectAccessible(page, 'the change of a password');
    await newPassword.fill(NEW);
    await repeat.fill(NEW);
    await update.click();
    await expect(card.getByText('The current password is not right.')).toBeVisible();
  });

  await old.fill(customer.password);
  await update.click();
  await expect(
    page.getByRole('heading', { name: 'Your Password has been successfully changed!', level: 1 }),
  ).toBeFocused();
  await expect(page.getByText('Please Login with Your new credentials.')).toBeVisible();
  await expect(account.bar.getByRole('link')).toHaveText(['Dashboard']);
  await expectAccessible(page, 'the changed password');
  await mailbox.letter(customer.email, /password was set$/);

  await page.getByRole('button', { name: 'Ok', exact: true }).click();
  await expect(account.loginCard.getByLabel('Username')).toBeFocused();
  await account.logIn(customer);
  await expect(account.loginCard.getByRole('alert')).not.toBeEmpty();
  await account.logIn({ ...customer, password: NEW });
  await expect(account.details).toBeVisible();
});

test('a forgotten password is replaced by way of the mailbox', async ({
  page,
  account,
  customers,
  mailbox,
  form,
  complaints,
}) => {
  complaints.tolerate(/status of 404 .* \/api\/v1\/password\//);
  const customer = await customers.create();
  await account.openLogin('/dashboard?state=%2Fportal');
  await account.loginCard.getByRole('link', { name: 'Forgotten password, click here' }).click();
  await expect(
    page.getByRole('heading', { name: 'Forgotten your password?', level: 1 }),
  ).toBeVisible();
  await page.getByLabel('Username').fill(customer.email);
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await form.expectMessage('Check your mailbox for email with password reset link');
  await expectAccessible(page, 'the forgotten password');

  await mailbox.letter(customer.email, /^Reset your /);
  const link = await mailbox.link(customer.email, LINKS.password);
  await page.goto(link);
  const card = page.getByRole('region', { name: 'Reset password' });
  await expect(card.getByText(customer.email)).toHaveCount(2);
  await expect(page).toHaveURL('/reset-password');
  await expectAccessible(page, 'the reset of a password');
  await page.reload();
  const reset = card.getByRole('button', { name: 'Reset Password' });
  await expect(reset).toBeDisabled();
  await account.password(card, 'New Password').fill(NEW);
  await account.password(card, 'Confirm New Password').fill(NEW);
  await reset.click();
  await expect(
    page.getByRole('heading', { name: 'Your Password has been successfully changed!', level: 1 }),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Ok', exact: true }).click();
  await expect(account.loginCard.getByLabel('Username')).toHaveValue(customer.email);
  await account.logIn({ ...customer, password: NEW });
  await expect(page.getByRole('heading', { name: 'Hello Ann', level: 1 })).toBeVisible();
  await expect(page).toHaveURL('/portal');

  await test.step('the link works once', async () => {
    await page.goto(link);
    await expect(
      page.getByRole('heading', { name: 'This link no longer works', level: 1 }),
    ).toBeVisible();
    await expectAccessible(page, 'a dead link to a password');
  });
});

test('the page for a forgotten password takes the link of the mail too', async ({
  page,
  account,
  customers,
  mailbox,
  form,
  complaints,
}) => {
  complaints.tolerate(/status of 422 .* \/api\/v1\/retrieve-password$/);
  const customer = await customers.create();
  await page.goto('/retrieve-password');
  await page.getByLabel('Username').fill(customer.email);
  await page.getByLabel('Username').press('Enter');
  await mailbox.letter(customer.email, /^Reset your /);
  const aid = new URL(await mailbox.link(customer.email, LINKS.password)).searchParams.get('aid');

  await page.goto(`/retrieve-password?hash=${aid}`);
  const card = page.getByRole('region', { name: 'Choose a new password' });
  await card.getByLabel('Username').fill(newAddress('stranger'));
  await account.password(card, 'New Password').fill(NEW);
  await account.password(card, 'Confirm New Password').fill(NEW);
  await card.getByRole('button', { name: 'Reset Password' }).click();
  await form.expectMessage('Please check form data and try again.');
  await expect(page).toHaveURL('/retrieve-password');
  await expectAccessible(page, 'the form behind a link');

  await card.getByLabel('Username').fill(customer.email);
  await card.getByRole('button', { name: 'Reset Password' }).click();
  await form.expectMessage('Password is reset, you can login with new password');
  await expect(page).toHaveURL('/dashboard');
  await account.logIn({ ...customer, password: NEW });
  await expect(account.details).toBeVisible();
});

test('a username that is no mail address is not sent anything', async ({
  page,
  form,
  complaints,
}) => {
  complaints.tolerate(/status of 422 .* \/api\/v1\/retrieve-password-request$/);
  await page.goto('/retrieve-password');
  const send = page.getByRole('button', { name: 'Send me a link' });
  await expect(send).toBeDisabled();
  await page.getByLabel('Username').fill('nobody');
  await send.click();
  await form.expectMessage('Error. Please check username and try again.');
  await expect(page.getByLabel('Username')).toBeFocused();
});
