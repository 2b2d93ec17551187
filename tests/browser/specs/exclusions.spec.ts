import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.ts';
import { bringAlong } from '../support/calls.ts';
import { CARDS } from '../support/people.ts';
import { expectSuccess, payByCard } from '../support/payment.ts';
import { expect, test } from '../support/test.ts';

const list = (page: Page) => page.getByRole('region', { name: 'What your cover would not do' });
const gap = (page: Page, title: string) => list(page).getByRole('listitem').filter({ hasText: title });

/** Opens an exclusion. On a phone, a closed exclusion shows only its title. */
async function unfold(page: Page, title: string): Promise<void> {
  const fold = gap(page, title).locator('details:not([open]) > summary');
  if (await fold.isVisible()) await fold.press('Enter');
}

const TOW = 'A tow of more than 10 miles';

test('a gap is seen before paying, closed with one press, and its answer kept with the sale', async ({
  page,
  calls,
  form,
}) => {
  const quote = await calls.createQuote({ values: { cover_level: 1 } });
  await bringAlong(page, quote);
  await form.open(`/quote/edit/${quote.uuid}?step=4`);
  await expect(list(page).getByRole('listitem')).toHaveCount(6);
  await expectAccessible(page, 'the exclusions of a cover');
  const before = await form.premium();

  const difference = await test.step('the difference is said before anything is chosen', async () => {
    const text = gap(page, TOW).getByText(/^£[\d.]+ more a year\.$/);
    await expect(text).toBeVisible();
    return Number(/£([\d.]+)/.exec((await text.textContent()) ?? '')?.[1]);
  });

  await test.step('one press changes the level and moves the price by what was said', async () => {
    await unfold(page, TOW);
    await gap(page, TOW).getByRole('button', { name: /^Change to National ?:/ }).click();
    const status = list(page).getByRole('status');
    await expect(status).toContainText(`${TOW}: covered now.`);
    await expect(status).toBeFocused();
    await expect(gap(page, TOW).getByRole('group')).toHaveCount(0);
    const premium = async () => Number((await form.premium()).slice(1));
    await expect.poll(premium).toBeCloseTo(Number(before.slice(1)) + difference, 2);
    await expectAccessible(page, 'a gap that was closed');
  });

  await test.step('and can be taken back', async () => {
    await list(page).getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => form.premium()).toBe(before);
    await unfold(page, TOW);
    await gap(page, TOW).getByRole('button', { name: /^Change to National ?:/ }).click();
    await expect.poll(() => form.premium()).not.toBe(before);
  });

  await test.step('answers go by keyboard, survive a reload, and block nothing', async () => {
    const mot = gap(page, 'valid MOT');
    await unfold(page, 'valid MOT');
    await mot.getByRole('button', { name: 'Yes' }).focus();
    await page.keyboard.press('Space');
    await expect(mot.getByRole('button', { name: 'Yes' })).toHaveAttribute('aria-pressed', 'true');
    await expect(mot).toContainText('Check the dates of the MOT');
    await page.reload();
    await expect(mot.getByRole('button', { name: 'Yes' })).toHaveAttribute('aria-pressed', 'true');
  });

  await page.getByRole('checkbox', { name: /accept the terms/ }).check();
  await form.pay.click();
  await payByCard(page, CARDS.paid);
  await expectSuccess(page);
  await page.goto(`/policy/view/${quote.uuid}`);
  const policy = page.getByRole('region', { name: 'What your cover does not do' });
  await expect(policy.getByRole('listitem')).toHaveCount(5);
  await expect(policy.getByText(TOW)).toHaveCount(0);
  const mot = policy.getByRole('listitem').filter({ hasText: 'valid MOT' });
  await expect(mot).toContainText('What to do: Check the dates');
  await expect(mot).toContainText('You said that this matters to you.');
  await expectAccessible(page, 'the exclusions of a policy');
});
