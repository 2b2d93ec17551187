import { expect, type Locator, type Page, type Request } from '@playwright/test';
import type { QuoteForm } from './quoteForm.ts';

/** What a vehicle's card says where its look-up has no answer. */
export const NOT_NOW = "We couldn't look up your vehicle just now. Please type the details below.";
/** The question that a look-up answers. */
export const DATE = 'Date of first registration';

/** How long a customer waits at most for an answer that doesn't come, milliseconds. */
const LONGEST_WAIT_MS = 2_000;

const VEHICLE = '/api/v1/lookup/vehicle';

/** The questions about a person and a vehicle. */
export async function toDetails(form: QuoteForm) {
  await form.open('/breakdown/vehicle');
  await form.choose('How much cover do you need?', 'National');
  await form.goOn('Your details');
  return { about: form.card('About you'), vehicle: form.card('Vehicle 1') };
}

/** A look-up that is answered by this instead of the shop. */
export async function answered(
  page: Page,
  what: 'vehicle' | 'address',
  body: string,
): Promise<void> {
  await page.route(`**/api/v1/lookup/${what}`, (route) =>
    route.fulfill({ status: 200, contentType: 'text/html', body }),
  );
}

/**
 * Vehicles are looked up and no answer comes. The promise is kept when the page has given a call up, so that an
 * answer that comes later has nobody to come to.
 */
export async function silent(page: Page): Promise<{ givenUp: Promise<Request> }> {
  await page.route(`**${VEHICLE}`, () => {});
  return {
    givenUp: page.waitForEvent('requestfailed', (request) => request.url().endsWith(VEHICLE)),
  };
}

/**
 * The vehicle's card says within two seconds of the page's clock that its look-up has no answer. The clock must be
 * installed; it stands still meanwhile, so that a busy machine changes nothing.
 */
export async function expectGivenUpInTime(page: Page, vehicle: Locator): Promise<void> {
  const now = await page.evaluate(() => Date.now());
  await page.clock.pauseAt(now + LONGEST_WAIT_MS / 2);
  await page.clock.runFor(LONGEST_WAIT_MS / 2);
  await expect(vehicle.getByText(NOT_NOW)).toBeVisible();
  await page.clock.resume();
}
