import type { Page } from '@playwright/test';
import { expect, test } from '../support/test.ts';

interface PriceCall {
  product: { values: { cover_level?: number | null }; multi: { vehicles: unknown[] } };
}

/** Records every price request from now on, single or batched. */
function priceCalls(page: Page): PriceCall[] {
  const calls: PriceCall[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname === '/api/v1/price') calls.push(request.postDataJSON());
    if (pathname === '/api/v1/prices') calls.push(...request.postDataJSON().requests);
  });
  return calls;
}

test('there is no price before a cover level is chosen', async ({ page, form }) => {
  const calls = priceCalls(page);
  const hint = 'Choose your cover and your price appears here.';
  const premium = page.getByText(/^Your premium is £/);

  await form.open('/');
  await form.readSummary((summary) => expect(summary.getByText(hint)).toBeVisible());
  await expect(premium).toHaveCount(0);

  await form.choose('What would you like to cover?', 'Personal');
  // Each card shows the price of its choice.
  const levels = page.getByRole('group', { name: 'How much cover do you need?' });
  await expect(levels.getByText(/^£\d+\.\d\d\/year$/)).toHaveCount(5);
  await form.readSummary((summary) => expect(summary.getByText(hint)).toBeVisible());
  await expect(premium).toHaveCount(0);

  await form.choose('How much cover do you need?', 'Local');
  await expect(premium).toHaveCount(1);
  await form.readSummary((summary) => expect(summary.getByText(hint)).toHaveCount(0));
  expect(calls.filter((call) => !call.product.values.cover_level)).toEqual([]);
});

test('the price moves a second after the last change, and stays visible until then', async ({
  page,
  form,
}) => {
  await form.open('/breakdown/vehicle');
  await form.choose('How much cover do you need?', 'Local');
  await form.goOn('Your details');
  const before = await form.premium();

  const calls = priceCalls(page);
  const requestTimes: number[] = [];
  let answer = () => {};
  const firstResponse = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/v1/price', async (route) => {
    requestTimes.push(Date.now());
    await firstResponse;
    await route.continue();
  });

  await form.addAnother.click();
  const changedAt = Date.now();
  await form.addAnother.click();
  await expect.poll(() => requestTimes.length).toBeGreaterThan(0);
  expect((requestTimes[0] ?? 0) - changedAt).toBeGreaterThanOrEqual(1000);
  // Two changes in one second make one request.
  expect(calls.map((call) => call.product.multi.vehicles.length)).toEqual([3]);
  await form.readSummary((summary) =>
    expect(summary.getByText(`${before}/year`).first()).toBeVisible(),
  );

  answer();
  await expect
    .poll(async () => Number((await form.premium()).slice(1)))
    .toBeGreaterThan(Number(before.slice(1)));
});
