import { expectAccessible } from '../support/accessibility.ts';
import { wire } from '../support/dates.ts';
import { follow, textOf } from '../support/pdf.ts';
import { CARDS } from '../support/people.ts';
import { expect, test } from '../support/test.ts';

const DAYS_IN = 40;

test('cover is cancelled for the figure that was shown, and bought again', async ({
  page,
  form,
  shop,
  customers,
  mailbox,
}) => {
  await shop.openInThePast(DAYS_IN + 2);
  const customer = await customers.create({ isPaid: true, values: { start_date: wire(-DAYS_IN) } });
  await shop.openToday();
  await customers.logIn(page, customer);
  await page.goto(`/policy/view/${customer.quote.uuid}`);
  const panel = page.getByRole('region', { name: 'Cancel your cover' });
  const dialog = page.getByRole('dialog', { name: 'Cancel your cover' });

  const refund = await test.step('what comes back is shown first, with its lines', async () => {
    await page.getByRole('button', { name: 'Cancel cover' }).click();
    await expect(panel).toBeInViewport();
    await expect(panel.getByRole('row').filter({ hasText: 'ee' }).first()).toBeVisible();
    await panel.getByRole('button', { name: 'Cancel my cover' }).click();
    await expect(panel.getByText('Choose a reason')).toBeVisible();
    await panel.getByLabel('Why would you like to cancel?').selectOption({ index: 2 });
    await panel.getByLabel(/^Anything you would like to tell us/).fill('I moved to the sea.');
    await expectAccessible(page, 'a cancellation before it is made');
    const figure = panel.getByRole('status');
    await expect(figure).toContainText(/£\d+\.\d\d/);
    return /£\d+\.\d\d/.exec((await figure.textContent()) ?? '')?.[0] ?? 'nothing';
  });

  await test.step('nothing is done without an agreement', async () => {
    await panel.getByRole('button', { name: 'Cancel my cover' }).click();
    await expect(dialog).toContainText(`${refund} comes back to the card that paid.`);
    await expectAccessible(page, 'the question before cover is cancelled');
    await dialog.getByRole('button', { name: 'Keep my cover' }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
    await panel.getByRole('button', { name: 'Cancel my cover' }).click();
    await dialog.getByRole('button', { name: 'Cancel my cover' }).click();
  });

  await test.step('it is done at once, and the refund is followed to its end', async () => {
    const details = page.getByRole('region', { name: 'Cancellation', exact: true });
    await expect(details.getByText('It was paid back to you. Your bank may need a few working days to show it.')).toBeVisible({
      timeout: 20_000,
    });
    await expect(details).toContainText(refund);
    await expect(details).toContainText('I moved to the sea.');
    await expect(page.getByText('Cancelled', { exact: true })).toBeVisible();
    await expectAccessible(page, 'a cancelled policy');
  });

  await test.step('a letter says so, and a mail', async () => {
    const link = page.getByRole('link', { name: /^Cancellation Letter/ });
    await expect(link).toBeVisible({ timeout: 20_000 });
    const text = await textOf(await follow(page, link));
    expect(text).toContain(customer.quote.customId);
    expect(text).toContain(refund);
    const letter = await mailbox.letter(customer.email, /is cancelled/);
    expect(letter).toContain(refund.slice(1));
  });

  await test.step('the same cover is one press away', async () => {
    await page.getByRole('button', { name: 'Buy again' }).click();
    await form.expectStep('Cover type');
    await expect(form.choice('How much cover do you need?', 'National')).toBeChecked();
    await form.premium();
  });
});

test('a refund that the bank does not take is said', async ({ page, customers }) => {
  const customer = await customers.create({
    isPaid: true,
    card: CARDS.refusedRefund,
    values: { start_date: wire(5) },
  });
  await customers.logIn(page, customer);
  await page.goto(`/policy/view/${customer.quote.uuid}`);

  await test.step('cover that has not begun is undone', async () => {
    const undoButton = page.getByRole('button', { name: "I don't want this after all" });
    await undoButton.click();
    await expect(page.getByRole('button', { name: 'Cancel cover' })).toHaveCount(0);
    const panel = page.getByRole('region', { name: "I don't want this after all" });
    await expectAccessible(page, 'a policy before it is undone');
    await panel.getByRole('button', { name: 'Undo this policy' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo this policy' }).click();
    await expect(page.getByText('Not taken up', { exact: true }).first()).toBeVisible();
  });

  await test.step('and whom to call is said where the money is stuck', async () => {
    const card = page.getByRole('region', { name: 'Not taken up' });
    await expect(card.getByText(/^The refund to your card could not be made/)).toBeVisible({ timeout: 20_000 });
    await expect(card.getByRole('link', { name: /^0/ })).toBeVisible();
  });

  await test.step('it stands among the policies, and not among the quotes', async () => {
    await page.goto('/dashboard?tab=policies');
    await expect(page.getByText(customer.quote.customId, { exact: true }).first()).toBeVisible();
    await page.goto('/dashboard?tab=quotes');
    await expect(page.getByRole('heading', { name: 'You have no quotes waiting' })).toBeVisible();
  });
});

test('a refund that takes its time is on its way until it has arrived', async ({
  page,
  shop,
  customers,
}) => {
  await shop.openInThePast(2);
  const customer = await customers.create({ isPaid: true, card: CARDS.slowRefund });
  await customers.logIn(page, customer);
  await page.goto(`/policy/view/${customer.quote.uuid}`);
  await page.getByRole('button', { name: "I don't want this after all" }).click();
  await page.getByRole('button', { name: 'Undo this policy' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo this policy' }).click();
  const card = page.getByRole('region', { name: 'Not taken up' });
  await expect(card.getByText(/^It is on its way to the card that paid\./)).toBeVisible();
  await page.reload();
  await expect(card.getByText(/^It is on its way to the card that paid\./)).toBeVisible();

  await shop.openToday();
  await expect(card.getByText('It was paid back to you. Your bank may need a few working days to show it.')).toBeVisible();
});
