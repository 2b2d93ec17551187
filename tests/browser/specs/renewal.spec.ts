import { expectAccessible } from '../support/accessibility.ts';
import { wire } from '../support/dates.ts';
import { expectSuccess, payByCard } from '../support/payment.ts';
import { CARDS } from '../support/people.ts';
import { expectNoShift } from '../support/layoutShift.ts';
import { expect, test } from '../support/test.ts';

test('a policy is renewed four weeks before it ends', async ({
  page,
  account,
  form,
  shop,
  customers,
  mailbox,
}) => {
  // Cover that started 343 days ago has 22 days left: the shop that opens today quotes its renewal.
  await shop.openInThePast(345);
  const values = { start_date: wire(-343) };
  const customer = await customers.create({ isPaid: true, autoRenew: true, values });
  const { customId, uuid } = customer.quote;
  await shop.openToday();
  const letter = await mailbox.letter(customer.email, /renewal/);
  expect(letter).toContain('shop around');
  await customers.logIn(page, customer);

  await test.step('it stands on its tab', async () => {
    await page.goto('/dashboard');
    await expect(page.getByRole('region', { name: 'Ready to renew' })).toBeVisible();
    await account.tab('Renewal Quotes').click();
    await expect(page.getByRole('status').filter({ hasText: '1 renewal quote' })).toBeVisible();
    await expectAccessible(page, 'the list of renewal quotes');
    await page.goto(`/policy/view/${uuid}`);
  });

  const renewal = page.getByRole('region', { name: 'Your renewal' });
  await test.step('the current cover, the next year, and what a new customer would pay', async () => {
    await expect(renewal).toBeVisible();
    await expectNoShift(page, 'a policy with its renewal');
    await page.goto('/portal');
    await page.goto(`/policy/view/${uuid}#renewal`);
    await expect(renewal).toBeInViewport();
    for (const label of [
      /^Your current cover, until \w+ \d+ \w+ \d{4}$/,
      /^Your next year, from \w+ \d+ \w+ \d{4}$/,
      /^A new customer today$/,
    ]) {
      await expect(renewal.getByText(label)).toBeVisible();
    }
    await expect(renewal.getByText(/£\d+\.\d\d/).first()).toBeVisible();
    await expect(renewal.getByText(/It renews by itself/)).toBeVisible();
    await expectAccessible(page, 'a policy with its renewal');
  });

  await test.step('renewing by itself is off in one click, and on again in one', async () => {
    const control = page.getByRole('switch', { name: 'Renew my cover by itself each year' });
    const charged = page.getByText(/^We will charge £\d+\.\d\d to the card that paid for it/);
    const nothing = page.getByText(/^Nothing will be charged\./);
    // The switch changes immediately. The next press counts after the server's response.
    const flip = async () => {
      const saved = page.waitForResponse(/\/auto-renew$/);
      await control.click();
      expect((await saved).ok()).toBe(true);
    };
    await expect(control).toBeChecked();
    await expect(charged).toBeVisible();
    await flip();
    await expect(control).not.toBeChecked();
    await expect(nothing).toBeVisible();
    await expect(renewal.getByText(/It doesn't renew by itself/)).toBeVisible();
    await page.reload();
    await expect(nothing).toBeVisible();
    await flip();
    await expect(control).toBeChecked();
    await expect(charged).toBeVisible();
    await expect(renewal.getByText(/It renews by itself/)).toBeVisible();
    await page.reload();
    await expect(charged).toBeVisible();
    await flip();
    await page.reload();
    await expect(control).not.toBeChecked();
    await expect(nothing).toBeVisible();
  });

  await test.step('it is renewed and paid for', async () => {
    await renewal.getByRole('link', { name: 'Renew now' }).click();
    await form.expectStep('Payment');
    await expectAccessible(page, 'the last step of a renewal');
    await page.getByRole('checkbox', { name: /^I agree to the statements above/ }).check();
    await form.pay.click();
    await payByCard(page, CARDS.paid);
    await expectSuccess(page);
    await page.getByRole('link', { name: 'View your policy' }).click();
    await page.getByRole('link', { name: "View your earlier policy" }).click();
    await expect(page.getByRole('heading', { name: `Policy ID: ${customId}` })).toBeVisible();
    await expect(renewal).toBeHidden();
    await page.getByRole('link', { name: 'View your new policy' }).click();
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
    // The box was not ticked for the card of this payment.
    await expect(page.getByText(/^This was not chosen when the policy was paid for\./)).toBeVisible();
    await expect(page.getByRole('switch')).toBeHidden();
  });

  await test.step('both are listed', async () => {
    await page.goto('/dashboard?tab=policies');
    await expect(page.getByRole('status').filter({ hasText: '2 policies' })).toBeVisible();
    await account.tab('Renewal Quotes').click();
    await expect(page.getByRole('heading', { name: 'You have no renewal quotes' })).toBeVisible();
  });
});
