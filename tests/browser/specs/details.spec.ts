import { expectAccessible } from '../support/accessibility.ts';
import { LINKS, newAddress } from '../support/customers.ts';
import { expect, test } from '../support/test.ts';

test.use({ seeded: true });

test('details are changed, and what is wrong with them is said at its field', async ({
  page,
  account,
  customers,
  form,
  complaints,
}) => {
  complaints.tolerate(/status of 422 .* \/api\/v1\/profile$/);
  await customers.logIn(page, await customers.create());
  await page.goto('/dashboard');
  const card = account.details;
  await card.getByRole('button', { name: 'Edit your details' }).click();
  await expect(card.getByLabel('Title')).toBeFocused();

  await card.getByLabel('Postcode').fill('nowhere');
  await card.getByLabel('Mobile').fill('12');
  await card.getByLabel('Last Name').fill("O'Neill-Łukasiewicz-Featherstonehaugh");
  await card.getByRole('button', { name: 'Save' }).click();
  await expect(card.getByText('Enter a UK postcode, such as SW1A 1AA')).toBeVisible();
  await expect(card.getByText(/^Enter a telephone number/)).toBeVisible();
  await expect(card.getByLabel('Postcode')).toBeFocused();
  await expectAccessible(page, 'the details with errors');

  await card.getByLabel('Postcode').fill('ba1 2qp');
  await card.getByLabel('Mobile').fill('07700 900123');
  await card.getByLabel('Country').selectOption('United Kingdom');
  await card.getByRole('button', { name: 'Save' }).click();
  await form.expectMessage('Your details are saved.');
  await expect(card.getByRole('button', { name: 'Edit your details' })).toBeFocused();

  await page.reload();
  for (const text of ['Featherstonehaugh', 'BA1 2QP', '07700 900123', 'United Kingdom']) {
    await expect(card).toContainText(text);
  }
  await expect(card.getByText('Fax')).toHaveCount(0);
  await expectAccessible(page, 'the details with a long name');
});

test('changes that are not saved are not lost by a slip', async ({ page, account, customers }) => {
  await customers.logIn(page, await customers.create());
  await page.goto('/dashboard');
  await account.details.getByRole('button', { name: 'Edit your details' }).click();
  await account.details.getByLabel('Middle Name').fill('Jane');
  await account.tab('Quotes').click();
  await expect(page.getByRole('heading', { name: 'Quotes', level: 1 })).toBeVisible();
  await account.tab('Dashboard').click();
  await expect(account.details.getByLabel('Middle Name')).toHaveValue('Jane');
  await account.details.getByRole('button', { name: 'Cancel' }).click();
  const question = page.getByRole('dialog', { name: 'Leave your details as they were?' });
  await question.getByRole('button', { name: 'Discard changes' }).click();
  await expect(account.details.getByText('Jane')).toHaveCount(0);
});

test('a new mail address counts once its mailbox and its owner have confirmed it', async ({
  page,
  account,
  customers,
  mailbox,
  complaints,
}) => {
  complaints.tolerate(/status of 401 .* \/api\/v1\/profile\/email$/);
  complaints.tolerate(/status of 422 .* \/api\/login$/);
  const customer = await customers.create();
  const email = newAddress('ann.with.a.longer.address.than.most');
  await customers.logIn(page, customer);
  await page.goto('/dashboard');
  await account.details.getByRole('button', { name: 'Edit your details' }).click();
  await account.details.getByLabel('Email Address').fill(email);
  await account.details.getByRole('button', { name: 'Save' }).click();
  await expect(account.details).toContainText(`We sent a link to ${email}.`);
  await expect(account.details).toContainText(`Until then we write to ${customer.email}.`);
  await expectAccessible(page, 'the details with an address to be confirmed');
  await mailbox.letter(customer.email, /^A new email address for your /);

  await test.step('the link asks for the log-in of its account', async () => {
    const link = await mailbox.link(email, LINKS.confirm);
    await account.logOut();
    await expect(account.startField).toBeVisible();
    await page.goto(link);
    await expect(
      page.getByRole('heading', { name: 'Confirm your email address', level: 1 }),
    ).toBeVisible();
    await expect(page).toHaveURL('/confirm-email');
    await expectAccessible(page, 'the confirmation of an address');
    await page.getByRole('main').getByRole('button', { name: 'Confirm' }).click();
    const dialog = page.getByRole('dialog', { name: 'Login' });
    await expect(dialog.getByLabel('Username')).toBeFocused();
    await account.logIn(customer, dialog);
    await expect(
      page.getByRole('heading', { name: 'Your email address is confirmed', level: 1 }),
    ).toBeVisible();
  });

  await test.step('from then on it is the one to log in with', async () => {
    await page.getByRole('main').getByRole('link', { name: 'My Account' }).click();
    await expect(account.details).toContainText(email);
    await expect(account.details).not.toContainText(customer.email);
    await expectAccessible(page, 'the dashboard with a long mail address');
    await mailbox.letter(customer.email, /address was changed/);
    await account.logOut();
    await account.openLogin();
    await account.logIn(customer);
    await expect(account.loginCard.getByRole('alert')).not.toBeEmpty();
    await account.logIn({ ...customer, email });
    await expect(account.details).toContainText(email);
  });
});

test('the wish for a new mail address can be taken back', { tag: '@wide' }, async ({
  page,
  account,
  customers,
  mailbox,
  form,
  complaints,
}) => {
  complaints.tolerate(/status of 404 .* \/api\/v1\/profile\/email$/);
  await customers.logIn(page, await customers.create());
  const email = newAddress('other');
  await page.goto('/dashboard');
  await account.details.getByRole('button', { name: 'Edit your details' }).click();
  await account.details.getByLabel('Email Address').fill(email);
  await account.details.getByRole('button', { name: 'Save' }).click();
  const link = await mailbox.link(email, LINKS.confirm);
  await account.details.getByRole('button', { name: 'Keep my present address' }).click();
  await form.expectMessage('Your email address stays as it is.');
  await expect(account.details).not.toContainText(email);

  await page.goto(link);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(
    page.getByRole('heading', { name: 'This link no longer works', level: 1 }),
  ).toBeVisible();
});
