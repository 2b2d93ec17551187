import type { Page } from '@playwright/test';
import { bringAlong, type Calls } from '../support/calls.ts';
import { test } from '../support/globalpayments.ts';
import { expectSuccess } from '../support/payment.ts';
import { expect } from '../support/test.ts';

const card = (page: Page) => page.getByTitle('Card payment').contentFrame();

async function openPage(page: Page, calls: Calls): Promise<string> {
  const quote = await calls.createQuote();
  await calls.accept(quote);
  await bringAlong(page, quote);
  await page.goto(`/payment/${quote.uuid}?gateway=globalpayments`);
  await expect(card(page).getByLabel('Card number')).toBeVisible();
  return quote.uuid;
}

for (const width of [360, 1280]) {
  test(`a challenge shows in the frame, and our page asks for the payment, ${width} pixels wide`, async ({
    page,
    calls,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    await openPage(page, calls);
    await card(page).getByLabel('Card number').fill('4222000001227408');
    await card(page).getByRole('button', { name: /^Pay/ }).click();
    // The bank's page is of another host, in a frame of the page's own.
    const bank = card(page).getByTitle('Your bank').contentFrame();
    await bank.getByRole('button', { name: 'Complete' }).click();
    await expectSuccess(page);
  });
}

test('after a reload and a declined card the same page takes another one', async ({ page, calls }) => {
  await openPage(page, calls);
  await page.reload();
  await expect(page.getByText('You started to pay before.')).toBeVisible();
  await card(page).getByLabel('Card number').fill('4000120000001154');
  await card(page).getByRole('button', { name: 'Decline' }).click();
  await expect(card(page).getByText('Your payment was declined.')).toBeVisible();
  await page.reload();
  await card(page).getByRole('button', { name: /^Pay/ }).click();
  await expectSuccess(page);
});
