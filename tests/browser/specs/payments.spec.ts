import { expectAccessible } from '../support/accessibility.ts';
import { wire } from '../support/dates.ts';
import { press } from '../support/keyboard.ts';
import { payByCard } from '../support/payment.ts';
import { CARDS } from '../support/people.ts';
import { expect, test } from '../support/test.ts';

const ARRIVED = 'Thank you. Your payment has arrived';
const DAYS_IN = 40;

test('the account shows a plan, its card is removed, and the rest is paid', async ({
  page,
  customers,
  account,
}) => {
  const customer = await customers.create({ isPaid: true, isMonthly: true });
  await customers.logIn(page, customer);
  await page.goto('/dashboard');
  await account.tab('Payments').click();
  const plan = page.getByRole('region', { name: new RegExp(customer.quote.customId) });
  const cards = page.getByRole('region', { name: 'Stored cards' });

  await test.step('what is paid, what is due next and on which card', async () => {
    await expect(plan.getByText(/^£\d+\.\d\d is due on .* We charge it to/)).toBeVisible();
    await expect(plan.getByText(/ in 1 of 12 payments$/)).toBeVisible();
    await plan.getByText('All 12 payments').click();
    await expect(plan.getByText('To come')).toHaveCount(11);
    await cards.getByText('What was agreed').click();
    await expect(cards.getByText(/We charge each later payment of your plan/)).toBeVisible();
    await expectAccessible(page, 'the payments of an account');
  });

  await test.step('the card is removed by the keyboard, and the payments still fall due', async () => {
    const dialog = page.getByRole('dialog', { name: 'Remove this card' });
    const remove = cards.getByRole('button', { name: /^Remove card/ });
    await press(page, remove);
    await expect(dialog).toContainText(
      `The monthly payments of policy ${customer.quote.customId} still fall due.`,
    );
    await expectAccessible(page, 'the question before a card is removed');
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(remove).toBeFocused();
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Remove card' }).click();
    await expect(cards.getByText(/ is removed\.$/)).toBeVisible();
    await expect(cards.getByText(/^No card is stored\./)).toBeVisible();
    await expect(plan.getByText(/We have no card to charge for it/)).toBeVisible();
  });

  await test.step('the rest is paid, and nothing more is due', async () => {
    await plan.getByRole('link', { name: /^Pay the rest, £/ }).click();
    await page.getByText('11 monthly payments').click();
    await expect(page.getByText(/^Monthly payment of /)).toHaveCount(11);
    await expectAccessible(page, 'the payment of the rest');
    await payByCard(page, CARDS.paid, 'policy');
    await expect(page.getByRole('heading', { name: ARRIVED, level: 1 })).toBeVisible({
      timeout: 30_000,
    });
    await expect(
      page.getByText('You have paid all of your payments. Nothing more is due.'),
    ).toBeVisible();
    await expectAccessible(page, 'the thanks for the rest');
    await page.getByRole('link', { name: 'All payments and cards' }).click();
    await expect(plan.getByText(/ in 12 of 12 payments$/)).toBeVisible();
  });
});

test('a failed payment is told everywhere, and another card pays it', async ({
  page,
  shop,
  customers,
  mailbox,
}) => {
  await shop.openInThePast(DAYS_IN);
  const customer = await customers.create({
    isPaid: true,
    isMonthly: true,
    card: CARDS.declinedLater,
    values: { start_date: wire(1 - DAYS_IN) },
  });
  await shop.openToday();
  const letter = await mailbox.letter(customer.email, /^A payment for your .* failed$/);
  await customers.logIn(page, customer);

  await test.step('the dashboard says so', async () => {
    await page.goto('/dashboard');
    const notice = page.getByRole('alert').filter({ hasText: 'A monthly payment is unpaid' });
    await expect(notice).toBeVisible();
    await expectAccessible(page, 'the dashboard after a failed payment');
    await notice.getByRole('link', { name: /^Pay now/ }).click();
  });

  const plan = page.getByRole('region', { name: 'Monthly payments' });
  await test.step('the letter leads to the same place', async () => {
    expect(letter).toContain(`/policy/view/${customer.quote.uuid}`);
    await expect(plan).toBeInViewport();
    await expect(plan.getByRole('alert')).toContainText('Your policy goes on.');
    await expectAccessible(page, 'a policy after a failed payment');
  });

  await test.step('a change waits until it is paid', async () => {
    await page.goto(`/quote/edit/${customer.quote.uuid}`);
    await expect(page.getByText(/of your monthly payments is due\. Please pay it/)).toBeVisible();
    await page.getByRole('link', { name: 'Pay now' }).click();
  });

  await test.step('a declined card is said to be declined', async () => {
    await plan.getByRole('link', { name: /^Pay £\d+\.\d\d now$/ }).click();
    await payByCard(page, CARDS.declined, 'policy');
    await expect(
      page.getByRole('heading', { name: 'Your payment did not go through' }),
    ).toBeVisible({ timeout: 30_000 });
    await expect(page.getByText('No charge was made to your card.')).toBeVisible();
    await page.getByRole('link', { name: 'Try again' }).click();
  });

  await test.step('another card pays, and is charged from then on', async () => {
    await plan.getByRole('link', { name: 'Pay with another card' }).click();
    await expect(page.getByText(/^We charge each later payment of your plan/)).toBeVisible();
    await payByCard(page, CARDS.paid, 'policy');
    await expect(page.getByRole('heading', { name: ARRIVED, level: 1 })).toBeVisible({
      timeout: 30_000,
    });
    await expect(page.getByText(/ is due on .* We charge it to /)).toBeVisible();
    await page.getByRole('link', { name: 'View your policy' }).click();
    await expect(plan.getByText(/ in 2 of 12 payments$/)).toBeVisible();
    await expect(plan.getByRole('alert')).toHaveCount(0);
  });
});
