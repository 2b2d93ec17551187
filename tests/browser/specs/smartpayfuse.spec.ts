import type { Page } from '@playwright/test';
import { bringAlong, type Calls } from '../support/calls.ts';
import { expectSuccess } from '../support/payment.ts';
import { test } from '../support/smartpayfuse.ts';
import { expect } from '../support/test.ts';

const card = (page: Page) => page.getByTitle('Card payment').contentFrame();

async function openPage(page: Page, calls: Calls): Promise<string> {
  const quote = await calls.createQuote();
  await calls.accept(quote);
  await bringAlong(page, quote);
  await page.goto(`/payment/${quote.uuid}?gateway=smartpayfuse`);
  await expect(card(page).getByLabel('Card number')).toBeVisible();
  return quote.uuid;
}

for (const width of [360, 1280]) {
  test(`a challenge shows in the frame and the receipt sells, ${width} pixels wide`, async ({
    page,
    calls,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    await openPage(page, calls);
    await card(page).getByRole('button', { name: 'Pay with a challenge' }).click();
    // The bank's page is of another host, in a frame of the page's own.
    const bank = card(page).getByTitle('Bank').contentFrame();
    await expect(bank.getByRole('heading', { name: 'Is it you?' })).toBeVisible();
    await bank.getByRole('button', { name: 'Complete' }).click();
    await expectSuccess(page);
  });
}

test('a payment that was given up in the frame can be begun again', async ({ page, calls }) => {
  const quote = await openPage(page, calls);
  await card(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL(`/payment/${quote}?gateway=smartpayfuse&left`);
  await page.goto(`/payment/${quote}?gateway=smartpayfuse`);
  await card(page).getByRole('button', { name: 'Pay', exact: true }).click();
  await expectSuccess(page);
});

test('a declined card leads out of the frame to the page that says so', async ({ page, calls }) => {
  await openPage(page, calls);
  await card(page).getByRole('button', { name: 'Decline' }).click();
  await expect(
    page.getByRole('heading', { name: 'Your payment did not go through', level: 1 }),
  ).toBeVisible({ timeout: 30_000 });
});
