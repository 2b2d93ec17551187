import { expect } from '@playwright/test';
import { shownDate } from './dates.ts';
import type { QuoteForm } from './quoteForm.ts';

/** Fills in the first step of gadget cover: a plan, and a laptop. */
export async function fillGadget(form: QuoteForm): Promise<void> {
  await form.choose('How much cover do you need?', 'Complete');
  const card = form.card('Gadget 1');
  await card.getByRole('radio', { name: 'Laptop' }).check();
  await card.getByLabel('Make', { exact: true }).fill('Acme');
  await card.getByLabel('Model', { exact: true }).fill('Book 9');
  await card.getByLabel('When was it bought?', { exact: true }).fill(shownDate(-40));
  await card.getByLabel('Value in pounds').fill('£1,900');
  await form.choose('Is it in full working order?', 'Yes');
  await form.choose('Is it damaged in any way?', 'No');
  await form.choose('Do you have proof of purchase?', 'Yes');
  await card.getByRole('radio', { name: 'New, in the UK' }).check();
  await card.getByRole('radio', { name: 'The manufacturer' }).check();
  await form.premium();
}

/** Gives the required answers of the last step. */
export async function agreeToGadget({ page }: QuoteForm): Promise<void> {
  await page.getByRole('checkbox', { name: /gadget assumptions/ }).check();
  await page.getByRole('checkbox', { name: /^I agree to the statements above/ }).check();
}

/** Presses Next, and waits until step `number` of the generic stepper is ready. */
export async function toStep({ page, next, pay }: QuoteForm, number: number): Promise<void> {
  await next.click();
  await expect(page).toHaveURL(new RegExp(`\\?step=${number}$`));
  await expect(next.or(pay)).toBeEnabled();
}
