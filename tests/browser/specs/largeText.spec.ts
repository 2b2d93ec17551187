import { bringAlong } from '../support/calls.ts';
import { expect, test } from '../support/test.ts';

test.use({ knowsCookies: false, viewport: { width: 360, height: 740 } });

test('with text twice as large the cookie banner and the price bar leave most of the screen', async ({
  page,
  calls,
  form,
}) => {
  const quote = await calls.createQuote();
  await bringAlong(page, quote);
  const banner = page.getByRole('region', { name: 'Cookies' });
  const bar = page.locator('[data-price-bar]');
  for (const path of ['/breakdown/personal', `/quote/edit/${quote.uuid}?step=4`]) {
    await form.open(path);
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
    });
    for (const name of ['I Refuse', 'I Accept']) {
      await expect(banner.getByRole('button', { name })).toBeInViewport({ ratio: 1 });
    }
    await expect(bar).toBeAttached();
    const remainingSpace = () =>
      page.evaluate(() => {
        const bars = document.querySelectorAll('[aria-label="Cookies"], [data-price-bar]');
        const tops = [...bars].map((each) => each.getBoundingClientRect().top);
        return Math.min(...tops) / innerHeight;
      });
    await expect.poll(remainingSpace, path).toBeGreaterThan(0.6);
  }
  // Without the banner the price is visible again.
  await banner.getByRole('button', { name: 'I Refuse' }).click();
  await expect(bar).toBeInViewport({ ratio: 1 });
  await expect
    .poll(() => bar.evaluate((each) => each.getBoundingClientRect().top / innerHeight))
    .toBeGreaterThan(0.6);
});
