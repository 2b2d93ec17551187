import { expectAccessible } from '../support/accessibility.ts';
import { Account } from '../support/account.ts';
import { bringAlong } from '../support/calls.ts';
import { showTime } from '../support/clock.ts';
import { LINKS, newAddress } from '../support/customers.ts';
import { expect, test } from '../support/test.ts';

test.use({ seeded: true });

const SAVED = 'This is what we have saved for you.';

test("a visitor's quote goes on in another browser, and into the account of its mailbox", async ({
  page,
  browser,
  baseURL,
  account,
  calls,
  form,
  mailbox,
  complaints,
}) => {
  complaints.tolerate(/status of 404 .* \/api\/v1\/quote\/resume$/);
  complaints.tolerate(/status of 401 .* \/api\/v2\/public\/quote\/read\//);
  complaints.tolerate(/status of 401 .* \/api\/v1\/quote\//);
  const customer = { email: newAddress(), password: 'Layby-2026-ann' };
  const quote = await calls.createQuote({ values: { email_primary: customer.email } });
  const resume = await mailbox.link(customer.email, LINKS.resume);

  await test.step('the link of the letter opens it, and leaves the address bar', async () => {
    await page.goto(resume);
    await form.expectStep('Payment');
    await expect(page).toHaveURL(`/quote/edit/${quote.uuid}?step=last`);
    await page.reload();
    await form.expectStep('Payment');
    await page.getByRole('button', { name: 'Change Cover type' }).click();
    await form.choose('How much cover do you need?', 'European');
  });

  const home = await browser.newContext({ baseURL, viewport: page.viewportSize() });
  await showTime(home);
  complaints.listenTo(home);
  const other = await home.newPage();
  const elsewhere = new Account(other);

  await test.step('its other link sets a first password, and the account has the quote', async () => {
    await other.goto(await mailbox.link(customer.email, LINKS.password));
    const card = other.getByRole('region', { name: 'Set a password' });
    await expect(card).toContainText(customer.email);
    await elsewhere.password(card, 'New Password').fill(customer.password);
    await elsewhere.password(card, 'Confirm New Password').fill(customer.password);
    await card.getByRole('button', { name: 'Set Password' }).click();
    await other.getByRole('button', { name: 'Ok', exact: true }).click();
    await elsewhere.logIn(customer);
    const waitingQuotes = other.getByRole('region', { name: 'Quotes waiting for you' });
    await expect(waitingQuotes).toContainText(quote.customId);
    await elsewhere.tab('Quotes').click();
    await other.getByRole('link', { name: `Edit quote ${quote.customId}` }).click();
    await expect(other.getByText(SAVED)).toBeVisible();
  });

  await test.step('then the link is dead', async () => {
    await (await elsewhere.openMenu()).getByRole('button', { name: 'Logout' }).click();
    await expect(other).toHaveURL('/');
    await other.goto(resume);
    await expect(
      other.getByRole('heading', { name: 'This link no longer works', level: 1 }),
    ).toBeVisible();
    await expectAccessible(other, 'a dead link to a quote');
  });
  await home.close();

  await test.step('and the first browser logs in to save what it has changed', async () => {
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(
      page.getByText(
        'You cannot update quote if you are not logged in. To log in please check your email or contact support.',
      ),
    ).toBeVisible();
    await expectAccessible(page, 'a quote that nobody may change');
    await page.getByRole('main').getByRole('button', { name: 'Login' }).click();
    const dialog = page.getByRole('dialog', { name: 'Login' });
    await expect(dialog.getByLabel('Username')).toBeFocused();
    await expectAccessible(page, 'the login dialog');
    await account.logIn(customer, dialog);
    await expect(dialog).toBeHidden();
    await expect(form.choice('How much cover do you need?', 'European')).toBeChecked();
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await form.expectMessage('Quote updated successfully.');
  });
});

test('a quote made before logging in joins the account, if it is for the same address', {
  tag: '@wide',
}, async ({ page, account, calls, customers }) => {
  const customer = await customers.create();
  const own = await calls.createQuote({ values: { email_primary: customer.email } });
  const other = await calls.createQuote({ values: { email_primary: newAddress('other') } });
  await account.openLogin();
  await bringAlong(page, own);
  await bringAlong(page, other);
  await account.openLogin();
  await account.logIn(customer);
  const waitingQuotes = page.getByRole('region', { name: 'Quotes waiting for you' });
  await expect(waitingQuotes).toContainText(own.customId);
  await expect(waitingQuotes).not.toContainText(other.customId);
  const storageKeys = () => page.evaluate(() => Object.keys(localStorage).join(' '));
  await expect.poll(storageKeys).not.toContain(own.uuid);
  expect(await storageKeys()).toContain(other.uuid);
});
