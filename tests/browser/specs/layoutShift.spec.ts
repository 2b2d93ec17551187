import type { Page } from '@playwright/test';
import { CAR } from '../support/people.ts';
import { expectNoShift, expectNoShiftAfter } from '../support/layoutShift.ts';
import { expect, test } from '../support/test.ts';

/** Holds the requests to these addresses. Returns the function that releases them. */
async function hold(page: Page, addresses: string): Promise<() => Promise<void>> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(addresses, async (route) => {
    await released;
    await route.continue();
  });
  return async () => {
    release();
    await page.waitForLoadState('networkidle');
  };
}

test('nothing moves by itself on the way to the payment', async ({ page, form }) => {
  await form.open('/breakdown/vehicle');
  await form.choose('How much cover do you need?', 'National');
  await form.goOn('Your details');
  await form.fillPolicyholder();
  await form.fillVehicle(1, CAR);

  // A held price keeps the network busy, so the test waits for idle first.
  await page.waitForLoadState('networkidle');
  const release = await hold(page, '**/api/v1/price*');
  await expectNoShiftAfter(page, 'the step of the options', () => form.goOn('Options'));
  const added = page.getByText(/^Adds £\d/);
  await expect(page.getByRole('checkbox', { name: 'Key cover' })).toBeVisible();
  await expect(added).toHaveCount(0);
  await expectNoShiftAfter(page, 'a price that comes late', async () => {
    await release();
    await expect(added.first()).toBeVisible();
  });

  await expectNoShiftAfter(page, 'a quote that is being saved', () => form.goOn('Payment'));
  await page.reload();
  await form.expectStep('Payment');
  await expectNoShift(page, 'the last step, opened again');
});

test('an address that names a part of the first page leads there', async ({ page }) => {
  await page.goto('/#tiers-title');
  await expect(page.getByRole('heading', { name: 'Compare cover levels' })).toBeInViewport();
});

test('a reload of the first page leads back to where it was left', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Compare cover levels' })).toBeAttached();
  await expect(page.locator('[data-placeholder]')).toHaveCount(0);
  await page.evaluate(() => window.scrollTo(0, 1500));
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(1500);
  await page.reload();
  await expect(page.locator('[data-placeholder]')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Compare cover levels' })).toBeAttached();
  await expect.poll(() => page.evaluate(() => Math.abs(window.scrollY - 1500))).toBeLessThan(10);
});

test('whoever goes on before the questions are there meets them', async ({ page, form }) => {
  const release = await hold(page, '**/assets/JourneyBody-*.js');
  await page.goto('/');
  await page.getByLabel('Your registration number').fill(CAR.registration);
  await page.getByRole('button', { name: 'See my cover' }).click();
  await expect(form.next).toHaveCount(0);
  await release();
  await expect(form.choice('What would you like to cover?', 'Vehicle')).toBeChecked();
  // On a wide screen the vehicle is confirmed beside its plate first.
  if (form.wide) await page.getByRole('button', { name: 'Yes, it is' }).click();
  const levels = page.getByRole('group', { name: 'How much cover do you need?' });
  await expect(levels).toBeInViewport();
  await expect(levels.getByRole('radio').first()).toBeFocused();
  await form.choose('How much cover do you need?', 'National');
  await form.goOn('Your details');
  await expect(form.card('Vehicle 1').getByLabel('Registration number')).toHaveValue('AB21 CDE');
});
