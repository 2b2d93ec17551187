import { expectAccessible } from '../support/accessibility.ts';
import { bringAlong } from '../support/calls.ts';
import { LINKS, newAddress } from '../support/customers.ts';
import { tabTo } from '../support/keyboard.ts';
import { CARDS } from '../support/people.ts';
import { expect, test } from '../support/test.ts';

test.use({ seeded: true });

const PASSWORD = 'Layby-2026-new';
const BOUGHT = /^Your .* policy BRK\d+$/;

/** Returns a letter as one line. */
const asOneLine = (letter: string) => letter.replace(/\s+/g, ' ');

test('bought without logging in by a customer, it is in the account: the login shows it there', async ({
  page,
  calls,
  customers,
  mailbox,
}) => {
  const customer = await customers.create();
  const policy = await calls.createQuote({ values: { email_primary: customer.email } });
  await calls.payFor(policy, CARDS.paid);
  const letter = asOneLine(await mailbox.letter(customer.email, BOUGHT));
  expect(letter).toContain('It is in your account. Log in with this email address');
  expect(letter).not.toContain(LINKS.password);

  await bringAlong(page, policy);
  await page.goto(`/payment/success/${policy.uuid}`);
  const card = page.getByRole('region', { name: 'Your account' });
  await expect(card).toContainText(`This policy is in the account of ${customer.email}.`);
  await expectAccessible(page, 'a purchase that is in an account');
  await tabTo(page, card.getByRole('button', { name: 'Login' }));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Login' });
  await expect(dialog.getByLabel('Username')).toHaveValue(customer.email);
  await expect(dialog.getByRole('textbox', { name: 'Password' })).toBeFocused();
  await page.keyboard.type(customer.password);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(card).toContainText('It is in your account.');
  await expectAccessible(page, 'a purchase of whoever is logged in');
  await tabTo(page, card.getByRole('link', { name: 'Go to your account' }));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/dashboard?tab=policies');
  await expect(page.getByText(policy.customId, { exact: true })).toBeVisible();
});

test('bought and opened by a customer who is logged in, it is in the account at once', async ({
  page,
  calls,
  customers,
  form,
}) => {
  const customer = await customers.create();
  const own = { values: { email_primary: customer.email } };
  const [policy, quote] = [await calls.createQuote(own), await calls.createQuote(own)];
  await calls.payFor(policy, CARDS.paid);
  await customers.logIn(page, customer);
  await bringAlong(page, policy);
  await bringAlong(page, quote);

  await page.goto(`/payment/success/${policy.uuid}`);
  await expect(page.getByRole('region', { name: 'Your account' })).toContainText(
    'It is in your account.',
  );
  await page.goto(`/policy/view/${policy.uuid}`);
  await expect(page.getByRole('button', { name: "I don't want this after all" })).toBeVisible();
  await page.goto(`/quote/edit/${quote.uuid}`);
  await form.expectMessage('This quote is in your account now.');
  await page.goto('/dashboard?tab=quotes');
  await expect(page.getByText(quote.customId, { exact: true })).toBeVisible();
});

test('bought with a new address, its first password is set where it was paid, or by the letter', async ({
  page,
  calls,
  mailbox,
  complaints,
}) => {
  complaints.tolerate(/status of 404 .* \/api\/v1\/password\//);
  complaints.tolerate(/status of 401 /);
  const email = newAddress('new');
  const policy = await calls.createQuote({ values: { email_primary: email } });
  await calls.payFor(policy, CARDS.paid);
  const letter = await mailbox.letter(email, BOUGHT);
  expect(asOneLine(letter)).toContain('It is not in an account yet. Set a password to see your policy');
  expect(letter).toContain(LINKS.password);
  const code = /you paid: (\w{4}-\w{4})/.exec(asOneLine(letter))?.[1] ?? '';

  await bringAlong(page, policy);
  await page.goto(`/payment/success/${policy.uuid}`);
  const card = page.getByRole('region', { name: 'Set a password' });
  await expect(card).toContainText('This policy is not in an account yet.');
  await expect(card).toContainText('Your password counts only with the code');
  await expectAccessible(page, 'a purchase without an account');

  const field = card.getByLabel('Code from our email');
  await tabTo(page, field);
  await page.keyboard.type('ZZZZ-ZZZZ');
  await tabTo(page, card.getByRole('textbox', { name: 'Password', exact: true }));
  await page.keyboard.type(PASSWORD);
  await tabTo(page, card.getByRole('textbox', { name: 'Confirm Password' }));
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(card).toContainText('This code is not right, or it is too old.');
  await expect(field).toBeFocused();
  // Until then the button looks disabled.
  await expect(card.getByRole('button', { name: 'Set Password' })).toBeEnabled();
  await expectAccessible(page, 'a wrong code');
  await field.press('ControlOrMeta+a');
  await page.keyboard.type(code.toLowerCase());
  await page.keyboard.press('Enter');
  const account = page.getByRole('region', { name: 'Your account' });
  await expect(account).toContainText('It is in your account.');

  await page.goto(`/policy/view/${policy.uuid}`);
  await expect(page.getByRole('button', { name: "I don't want this after all" })).toBeVisible();
  await page.goto(await mailbox.link(email, LINKS.password));
  await expect(page.getByRole('heading', { name: /no longer works$/, level: 1 })).toBeVisible();
});

test('bought with another address, it joins the account of whoever is logged in by one question', async ({
  page,
  calls,
  customers,
  form,
}) => {
  const customer = await customers.create();
  const email = newAddress('other');
  const policy = await calls.createQuote({ values: { email_primary: email } });
  await calls.payFor(policy, CARDS.paid);
  await customers.logIn(page, customer);
  await bringAlong(page, policy);

  await page.goto(`/payment/success/${policy.uuid}`);
  const question = page.getByRole('region', { name: 'Add this policy to your account?' });
  await expect(question).toContainText(`It is for ${email}`);
  await expect(question).toContainText(`you are logged in as ${customer.email}`);
  await expectAccessible(page, 'the question whether to add a policy');
  await tabTo(page, question.getByRole('button', { name: 'No, leave it' }));
  await page.keyboard.press('Enter');
  await expect(question).toBeHidden();

  await page.goto(`/policy/view/${policy.uuid}`);
  const manage = page.getByRole('region', { name: 'Manage your policy' });
  await expect(manage).toContainText('This policy is not in your account.');
  await expect(page.getByText('Please log in to do this.')).toBeHidden();
  await expectAccessible(page, 'a policy that is not in the account');
  await tabTo(page, manage.getByRole('button', { name: 'Add to my account' }));
  await page.keyboard.press('Enter');
  await form.expectMessage('This policy is in your account now.');
  await expect(manage.getByRole('button', { name: "I don't want this after all" })).toBeVisible();
});

test("a policy in one customer's account is never moved into another's", async ({
  page,
  calls,
  customers,
}) => {
  const [ann, bob] = [await customers.create(), await customers.create()];
  const policy = await calls.createQuote({ values: { email_primary: ann.email } });
  await calls.payFor(policy, CARDS.paid);
  const bobs = await customers.logIn(page, bob);
  await bringAlong(page, policy);
  await page.goto(`/policy/view/${policy.uuid}`);
  const card = page.getByRole('region', { name: 'Your account' });
  await expect(card).toContainText(`in the account of ${ann.email}, and you are logged in to another`);
  await expectAccessible(page, "a policy in somebody else's account");
  expect(await bobs.adopt(policy)).toBe(404);
});

test('a mailed link that is opened logged in asks one question, and the quote is in the list', async ({
  page,
  calls,
  customers,
  mailbox,
  form,
}) => {
  const customer = await customers.create();
  const email = newAddress('work');
  const quote = await calls.createQuote({ values: { email_primary: email } });
  await customers.logIn(page, customer);
  await page.goto(await mailbox.link(email, LINKS.resume));
  const question = page.getByRole('region', { name: 'Add this quote to your account?' });
  await expect(question).toContainText('anybody can send you a link');
  await expectAccessible(page, 'the question whether to add a quote');
  await tabTo(page, question.getByRole('button', { name: 'Add to my account' }));
  await page.keyboard.press('Enter');
  await form.expectMessage('This quote is in your account now.');
  await expect(question).toBeHidden();
  await page.goto('/dashboard?tab=quotes');
  await expect(page.getByText(quote.customId, { exact: true })).toBeVisible();
});
