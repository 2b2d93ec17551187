import { expect, type Locator, type Page, type Request } from '@playwright/test';
import type { QuoteForm } from './quoteForm.ts';

/** The texts of a vehicle's card without a look-up result. */
export const NOT_NOW = "We couldn't look up your vehicle just now. Please type the details below.";
/** The question that a look-up answers. */
export const DATE = 'Date of first registration';

/** The longest wait for a response, in milliseconds. */
const MAX_WAIT_MS = 2_000;

const VEHICLE = '/api/v1/lookup/vehicle';

/** Goes to the questions about a person and a vehicle. */
export async function toDetails(form: QuoteForm) {
  await form.open('/breakdown/vehicle');
  await form.choose('How much cover do you need?', 'National');
  await form.goOn('Your details');
  return { about: form.card('About you'), vehicle: form.card('Vehicle 1') };
}

/** Replaces the shop's response to a look-up. */
export async function mockLookUp(
  page: Page,
  kind: 'vehicle' | 'address',
  body: string,
): Promise<void> {
  await page.route(`**/api/v1/lookup/${kind}`, (route) =>
    route.fulfill({ status: 200, contentType: 'text/html', body }),
  );
}

/**
 * Leaves vehicle look-ups without a response. `cancelled` resolves when the page cancels a call.
 */
export async function withoutResponse(page: Page): Promise<{ cancelled: Promise<Request> }> {
  await page.route(`**${VEHICLE}`, () => {});
  return {
    cancelled: page.waitForEvent('requestfailed', (request) => request.url().endsWith(VEHICLE)),
  };
}

/**
 * Checks that the vehicle's card reports a missing result within two seconds of the page's clock.
 * Install the clock first: it stands still, so that a busy machine changes nothing.
 */
export async function expectTimeout(page: Page, vehicle: Locator): Promise<void> {
  const now = await page.evaluate(() => Date.now());
  await page.clock.pauseAt(now + MAX_WAIT_MS / 2);
  await page.clock.runFor(MAX_WAIT_MS / 2);
  await expect(vehicle.getByText(NOT_NOW)).toBeVisible();
  await page.clock.resume();
}
