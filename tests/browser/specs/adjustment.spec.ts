import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.ts';
import { wire } from '../support/dates.ts';
import { payByCard } from '../support/payment.ts';
import { follow, textOf } from '../support/pdf.ts';
import { CARDS } from '../support/people.ts';
import { expect, test } from '../support/test.ts';

const DAYS_IN = 40;

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });

/** Requests the price with or without key cover. */
async function priceKeyCover(page: Page, isChosen: boolean): Promise<void> {
  await page.getByRole('link', { name: 'Change cover' }).click();
  await expect(heading(page, 'Change your cover')).toBeVisible();
  await page.getByRole('button', { name: 'Edit Details Make it yours' }).click();
  await page.getByRole('checkbox', { name: 'Key cover' }).setChecked(isChosen);
  await page.getByRole('button', { name: 'See the new price' }).click();
  await expect(heading(page, 'Your new price')).toBeVisible();
}

/** Returns the figures on the page of a change's price, in pence. */
async function figures(page: Page) {
  const card = page.getByRole('region', { name: 'What it costs' });
  await expect(card.getByRole('row').first()).toBeVisible();
  const pence = (text: string) => Math.round(Number(text.replace(/[^\d.]/g, '')) * 100);
  const all = (await card.locator('dd').allInnerTexts()).map(pence);
  const rows = await card.getByRole('row').allInnerTexts();
  const lines = rows.map((row) => {
    const amount = /([−-]?)£([\d,]+\.\d\d)/.exec(row);
    return pence(amount?.[2] ?? '') * (amount?.[1] ? -1 : 1);
  });
  return { before: all[0] ?? 0, after: all[1] ?? 0, lines };
}

test('a policy is changed: a telephone number, more cover, and less of it', async ({
  page,
  shop,
  customers,
  mailbox,
}) => {
  await shop.openInThePast(DAYS_IN + 2);
  const customer = await customers.create({
    isPaid: true,
    values: { start_date: wire(-DAYS_IN) },
  });
  await shop.openToday();
  await customers.logIn(page, customer);
  const policy = `/policy/view/${customer.quote.uuid}`;
  await page.goto(policy);

  await test.step('a new telephone number has no price: it is saved, and the page begins anew', async () => {
    await page.getByRole('link', { name: 'Change cover' }).click();
    await page.getByRole('button', { name: 'Edit Details About you' }).click();
    await expectAccessible(page, 'the change of a policy');
    const phone = page.getByRole('textbox', { name: /^Another telephone/ });
    await phone.fill('12');
    await page.getByRole('button', { name: 'Confirm Details About you' }).click();
    await expect(page.getByRole('alert', { name: 'There is a problem' })).toBeVisible();
    await phone.fill('020 7946 0123');
    const reloaded = page.waitForEvent('load');
    await page.getByRole('button', { name: 'Confirm Details About you' }).click();
    await reloaded;
    await expect(page.getByRole('status').filter({ hasText: 'Your details are saved.' })).toBeVisible();
    await expect(page.getByText('020 7946 0123')).toBeVisible();
  });

  await test.step('a price that is declined changes nothing', async () => {
    await page.goto(policy);
    await priceKeyCover(page, true);
    await expectAccessible(page, 'the price of a change');
    await page.getByRole('button', { name: 'Decline' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Your cover stays as it is.' })).toBeVisible();
    await expect(page).toHaveURL(policy);
    await expect(page.getByRole('region', { name: 'History' })).not.toContainText('Key cover');
    await expect(page.getByRole('link', { name: 'Go on with it' })).toBeHidden();
  });

  const paid = await test.step('key cover: old price, new price, and what is due, line by line', async () => {
    await priceKeyCover(page, true);
    await page.goto(policy);
    await page.getByRole('link', { name: 'Go on with it' }).click();
    await expect(heading(page, 'Your new price')).toBeVisible();
    const changesCard = page.getByRole('region', { name: 'What changes' });
    await expect(changesCard).toContainText('Key cover');
    await expect(changesCard.getByRole('definition')).toHaveText(/Now No\s*New Yes/);
    const { before, after, lines } = await figures(page);
    expect(after).toBeGreaterThan(before);
    const due = Math.round(((after - before) * (365 - DAYS_IN)) / 365);
    expect(lines.at(-1), 'what is due is pro rata').toBe(due);
    expect(lines.slice(0, -1).reduce((sum, line) => sum + line, 0)).toBe(due);
    const pounds = `£${(due / 100).toFixed(2)}`;
    await page.getByRole('button', { name: `Accept and pay ${pounds}` }).click();
    await payByCard(page, CARDS.declined, 'change');
    await expect(heading(page, 'Your payment did not go through')).toBeVisible();
    await expect(page.getByText('This change was not made.')).toBeVisible();
    await page.getByRole('link', { name: 'Try again' }).click();
    await expectAccessible(page, 'the payment page of a change');
    await payByCard(page, CARDS.paid, 'change');
    return pounds;
  });

  await test.step('paid, it is made by itself, with new documents', async () => {
    await expect(heading(page, 'Your change is made')).toBeVisible({ timeout: 30_000 });
    await expect(page.getByText(`You paid ${paid}.`)).toBeVisible();
    await expectAccessible(page, 'a change that was made');
    await page.getByRole('link', { name: 'View your policy' }).click();
    await expect(page.getByRole('region', { name: 'Your Policy', exact: true })).toContainText('Key cover');
    await expect(page.getByRole('region', { name: 'History' })).toContainText(paid);
    const documents = page.getByRole('region', { name: 'Documents', exact: true });
    const letter = documents.getByRole('link', { name: /^Change of Policy/ });
    await expect(letter).toBeVisible();
    const text = await textOf(await follow(page, letter));
    expect(text).toContain(customer.quote.customId);
    expect(text).toContain('Key cover');
    expect(text).toContain(paid);
    await documents.getByLabel('Documents of').selectOption({ index: 2 });
    await expect(letter).toBeHidden();
    await expect(documents.getByRole('link', { name: /^Policy Schedule/ })).toBeVisible();
    await mailbox.letter(customer.email, /has changed/);
  });

  await test.step('without it again, the rest comes back', async () => {
    await priceKeyCover(page, false);
    await expect(page.getByText('Comes back to the card that paid').first()).toBeVisible();
    await page.getByRole('button', { name: 'Accept', exact: true }).click();
    await expect(heading(page, 'Your change is made')).toBeVisible();
    // The gateway may respond before the page.
    const refundPattern = `(is on its way back to the card that paid|was paid back to you)\\.`;
    await expect(page.getByText(new RegExp(`^${paid} ${refundPattern}`))).toBeVisible();
    await page.getByRole('link', { name: 'View your policy' }).click();
    await expect(page.getByRole('region', { name: 'History' })).toContainText(
      `${paid} was paid back to you.`,
    );
    await expect(page.getByRole('region', { name: 'Your Policy', exact: true })).not.toContainText('Key cover');
  });
});
