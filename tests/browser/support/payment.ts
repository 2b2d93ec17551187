import { expect, type Page } from '@playwright/test';
import { ANN } from './people.ts';

/** Types a card into the gateway's own frame and pays. */
export async function payByCard(
  page: Page,
  number: string,
  subject: 'cover' | 'change' | 'policy' = 'cover',
): Promise<void> {
  const heading = page.getByRole('heading', { name: `Pay for your ${subject}`, level: 1 });
  await expect(heading).toBeVisible();
  const frame = page.getByTitle('Card payment').contentFrame();
  await frame.getByLabel('Name on card').fill(`${ANN.first} ${ANN.last}`);
  await frame.getByLabel('Card number').fill(number);
  await frame.getByLabel('Expiry date').fill('12/39');
  await frame.getByLabel('Security code').fill('123');
  await frame.getByRole('button', { name: /^Pay £/ }).click();
}

export async function expectSuccess(page: Page): Promise<void> {
  const thanks = page.getByRole('heading', { name: 'Thank you. Your policy is set up', level: 1 });
  // A waiting page reads the result from the gateway.
  await expect(thanks).toBeVisible({ timeout: 30_000 });
  await expect(page).toHaveURL(/\/payment\/success\/[0-9a-f-]{36}$/);
}
