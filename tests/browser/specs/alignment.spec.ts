import { bringAlong } from '../support/calls.ts';
import { expect, test } from '../support/test.ts';

// These tests check positions and sizes. No other test finds a wrong position or size.

test('the tabs of the account share one row', async ({ page, account, customers }) => {
  await customers.logIn(page, await customers.create());
  await page.goto('/dashboard');
  const rows = new Set<number>();
  for (const name of ['Dashboard', 'Policies', 'Payments', 'Quotes', 'Renewal Quotes'] as const) {
    const box = await account.tab(name).boundingBox();
    expect(box?.height, `${name} can be touched`).toBeGreaterThanOrEqual(44);
    rows.add(box?.y ?? -1);
  }
  expect(rows.size, 'rows of tabs').toBe(1);
});

test('what changes an answer of the review is large enough to touch', async ({
  page,
  calls,
  form,
}) => {
  const quote = await calls.createQuote();
  await bringAlong(page, quote);
  await form.open(`/quote/edit/${quote.uuid}?step=4`);
  const changes = form.card('Check your answers').getByRole('button', { name: /^Change / });
  await expect(changes.first()).toBeVisible();
  for (const change of await changes.all()) {
    const box = await change.boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(44);
    expect(box?.width).toBeGreaterThanOrEqual(44);
  }
});

test('the card frame has the typeface of the page around it', async ({ page, calls }) => {
  const quote = await calls.createQuote();
  await bringAlong(page, quote);
  await calls.accept(quote);
  await page.goto(`/payment/${quote.uuid}`);
  const frame = page.getByTitle('Card payment').contentFrame();
  await expect(frame.getByLabel('Card number')).toBeVisible();
  const loaded = () =>
    [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family);
  const unquoted = (names: string[]) => names.map((name) => name.replaceAll('"', ''));
  await expect
    .poll(async () => unquoted(await frame.locator('body').evaluate(loaded)))
    .toContain('Inter Variable');
});
