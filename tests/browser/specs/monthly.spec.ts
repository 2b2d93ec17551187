import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.ts';
import { bringAlong } from '../support/calls.ts';
import { tabTo } from '../support/keyboard.ts';
import { expectSuccess, payByCard } from '../support/payment.ts';
import { CARDS } from '../support/people.ts';
import { expect, test } from '../support/test.ts';

const LABEL = /^Pay monthly: (£\d+\.\d\d) today, then 11 payments of (£\d+\.\d\d)/;
const DAYS = String.raw`on the \d+(st|nd|rd|th) of each month(, or its last day if it has no \w+,)? until \d+ \w+ \d{4}`;

const monthly = (page: Page) => page.getByRole('radio', { name: LABEL });

/** Returns the first payment and each further payment on the page. */
async function amountsOf(page: Page): Promise<{ first: string; each: string }> {
  const label = page.locator('label').filter({ has: monthly(page) });
  const [, first = '', each = ''] = LABEL.exec((await label.textContent()) ?? '') ?? [];
  return { first, each };
}

test('cover is bought monthly, and every page names what is paid now', async ({
  page,
  calls,
  form,
}) => {
  const quote = await calls.createQuote();
  await bringAlong(page, quote);
  await form.open(`/quote/edit/${quote.uuid}?step=4`);
  const { first, each } = await amountsOf(page);

  await test.step('the choice is annual until the keyboard says monthly', async () => {
    const annual = page.getByRole('radio', { name: /^Pay £\d+\.\d\d now/ });
    await expect(annual).toBeChecked();
    await form.readSummary((summary) =>
      expect(
        summary.getByText(`or 12 payments: ${first} today, then ${each} a month`),
      ).toBeVisible(),
    );
    await tabTo(page, annual);
    await page.keyboard.press('ArrowDown');
    await expect(monthly(page)).toBeChecked();
    await expect(
      page.getByText(new RegExp(`^${first} today, then 11 payments of ${each} ${DAYS}\\. £`)),
    ).toBeVisible();
    await expectAccessible(page, 'the plan before paying');
  });

  await test.step('a reload and a way back keep it', async () => {
    await page.reload();
    await expect(monthly(page)).toBeChecked();
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await page.goBack();
    await expect(monthly(page)).toBeChecked();
  });

  await test.step('the payment page, the card form and the thanks name the first payment', async () => {
    await page.getByRole('checkbox', { name: /terms and conditions/ }).check();
    await page
      .getByRole('button', { name: `Pay ${first} now` })
      .first()
      .click();
    await expect(page.getByRole('heading', { name: 'Pay for your cover' })).toBeVisible();
    await expect(page.getByText('To pay now').locator('..')).toContainText(first);
    await expect(page.getByText(/No interest, no charge\.$/)).toBeVisible();
    await expectAccessible(page, 'the payment page of a plan');
    await payByCard(page, CARDS.paid);
    await expectSuccess(page);
    await expect(
      page.getByText(new RegExp(`^You paid ${first}\\. .*monthly|^You paid ${first}\\. We charge`)),
    ).toBeVisible();
    await expectAccessible(page, 'the thanks for a plan');
  });
});

test('a new price under the minimum is paid annually, and says so', async ({
  page,
  calls,
  form,
}) => {
  const quote = await calls.createQuote();
  await bringAlong(page, quote);
  await form.open(`/quote/edit/${quote.uuid}?step=4`);
  await monthly(page).check();
  await calls.updateQuote(quote, { values: { cover_level: 1, excess: 1 } });
  await page.reload();
  await expect(
    page.getByText(/^This price can't be paid monthly\. You pay £\d+\.\d\d now\.$/),
  ).toBeVisible();
  await expect(monthly(page)).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^Pay £\d+\.\d\d now$/ }).first()).toBeVisible();
  await expectAccessible(page, 'a price that is not paid monthly');
});
