import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.ts';
import { expect, test } from '../support/test.ts';

/** The most that may be loaded before the first page answers. */
const MOST_SCRIPT_KIB = 130;
const MOST_REQUESTS = 20;

/** The addresses that the page loads, as they have arrived. */
async function watchLoading(page: Page): Promise<string[]> {
  const loaded: string[] = [];
  const begun = new Map<string, string>();
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  session.on('Network.responseReceived', ({ requestId, response }) => {
    begun.set(requestId, new URL(response.url).pathname);
  });
  session.on('Network.loadingFinished', ({ requestId }) => {
    const address = begun.get(requestId);
    if (address) loaded.push(address);
  });
  return loaded;
}

/** The files that a page names in its own HTML. */
async function namedBy(page: Page, path: string): Promise<Set<string>> {
  const html = await (await page.request.get(path)).text();
  const found = html.matchAll(/ (?:src|href)="(\/[^"]+\.(?:js|css|woff2|svg))"/g);
  return new Set([...found].map(([, address]) => address ?? ''));
}

/** Lets no other script arrive until it is called. */
async function holdBack(page: Page, named: Set<string>): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((done) => {
    release = done;
  });
  await page.route('**/assets/*.js', async (route) => {
    if (!named.has(new URL(route.request().url()).pathname)) await released;
    await route.continue();
  });
  return release;
}

/** KiB of the scripts that have arrived, compressed and without headers. */
function scriptKib(page: Page): Promise<number> {
  return page.evaluate(() => {
    const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const scripts = entries.filter(
      ({ name, responseEnd }) => responseEnd > 0 && name.endsWith('.js'),
    );
    return scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1024;
  });
}

/** How far what is shown has moved by itself, as a browser counts it. */
async function movedBy(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((done) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as { value?: number }).value ?? 0;
        }).observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => done(sum), 300);
      }),
  );
}

for (const path of ['/', '/breakdown']) {
  test(`${path} answers soon: little script, few requests, and nothing moves`, async ({ page }) => {
    const loaded = await watchLoading(page);
    const named = await namedBy(page, path);
    const release = await holdBack(page, named);
    await page.goto(path);
    // The plate can be typed with what the page names, and nothing else.
    await page.getByLabel('Your registration number').fill('ab');
    const kib = await scriptKib(page);
    release();
    expect(kib).toBeGreaterThan(60);
    expect(kib).toBeLessThanOrEqual(MOST_SCRIPT_KIB);
    expect(named.size + 1, [...named].join('\n')).toBeLessThanOrEqual(MOST_REQUESTS);
    await page.waitForLoadState('networkidle');
    // What the page came with is asked for by nobody, and neither are its prices.
    const asked = loaded.filter((address) => address.startsWith('/api/'));
    expect(asked.filter((address) => address !== '/api/v1/form/breakdown/check')).toEqual([]);
    await expect(page.getByText(/^£\d+\.\d\d\/year$/).first()).toBeAttached();
    expect(await movedBy(page)).toBe(0);
  });
}

test('the answers of a page are asked for once its campaign is another', async ({ page }) => {
  const loaded = await watchLoading(page);
  await page.goto('/?utm_campaign=fkc&utm_medium=affiliate&utm_source=bnp');
  await page.getByLabel('Your registration number').fill('ab');
  await page.waitForLoadState('networkidle');
  expect(loaded.filter((address) => address.startsWith('/api/v1/price'))).toEqual([]);
  // The tab remembers the campaign, and this address doesn't say it.
  loaded.length = 0;
  await page.goto('/');
  await expect
    .poll(() => loaded.filter((address) => address.startsWith('/api/v1/price')))
    .toContain('/api/v1/prices');
});

test('each page names its own code, which is then loaded once', async ({ page }) => {
  for (const [path, name] of [
    ['/dashboard', 'Dashboard'],
    ['/retrieve-password', 'RetrievePassword'],
    ['/broken-down', 'BrokenDown'],
  ] as const) {
    const loaded = await watchLoading(page);
    const response = await page.goto(path);
    const code = new RegExp(`rel="modulepreload" crossorigin href="(/assets/${name}-[^"]+)"`);
    const address = code.exec((await response?.text()) ?? '')?.[1] ?? 'none';
    await page.waitForLoadState('networkidle');
    expect(loaded.filter((each) => each === address)).toHaveLength(1);
  }
});

/** Where the parts stand that the server writes and the website takes over. */
async function places(page: Page): Promise<Record<string, number[]>> {
  const parts = ['h1', '.hero-Hero-from', '.hero-Hero-facts', '.layout-Toolbar-name'];
  const found: Record<string, number[]> = {};
  for (const part of parts) {
    const box = await page.locator(part).first().boundingBox();
    found[part] = box ? [box.x, box.y, box.width, box.height].map(Math.round) : [];
  }
  return found;
}

test('the website takes over without a jump', async ({ page, browser, baseURL }) => {
  const options = { javaScriptEnabled: false, viewport: page.viewportSize(), baseURL };
  const context = await browser.newContext(options);
  const still = await context.newPage();
  for (const path of ['/', '/breakdown/european', '/cover/gadget']) {
    await still.goto(path);
    await page.goto(path);
    await expect(page.getByRole('button', { name: 'My Account' })).toBeVisible();
    const words = await places(still);
    expect(Object.values(words).flat()).toHaveLength(16);
    expect(await places(page), path).toEqual(words);
  }
  await context.close();
});

test.describe('where JavaScript is blocked', () => {
  test.use({ javaScriptEnabled: false });

  test('headline, prices and telephone are there', async ({ page }) => {
    await page.goto('/');
    await expect(
      page.getByRole('heading', { level: 1, name: 'Breakdown cover that gets you moving again' }),
    ).toBeVisible();
    await expect(page.getByText(/^From £\d+\.\d\d a year for /)).toBeVisible();
    const prices = page.getByRole('main').getByRole('listitem').filter({ hasText: '/year' });
    await expect(prices).toHaveCount(5);
    await expect(prices.filter({ hasText: 'European' })).toBeVisible();
    const call = page.getByRole('main').getByRole('link', { name: '01632 960 123' });
    await expect(call.first()).toBeVisible();
    await expect(call.first()).toHaveAttribute('href', 'tel:01632960123');
    // Playwright looks for no text in this element.
    const said = page.getByRole('main').locator('noscript p').first();
    await expect(said).toBeVisible();
    await expect(said).toHaveText(/^To get a quote here, please turn on JavaScript\./);
    await expect(page.getByText('My Account')).toBeHidden();
  });

  test('any other page says whom to call', async ({ page }) => {
    await page.goto('/dashboard');
    const said = page.locator('noscript p');
    await expect(said).toBeVisible();
    await expect(said).toHaveText(/^This page needs JavaScript\. .* call us on 01632 960 123 /);
    await expect(said.locator('a').first()).toHaveAttribute('href', 'tel:01632960123');
  });
});

test('a page whose script does not arrive is no barrier either', async ({ page, complaints }) => {
  complaints.tolerate(/net::ERR_FAILED/);
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.goto('/');
  await expect(page.getByRole('main').getByRole('link', { name: /^Call us on/ })).toBeVisible();
  await expectAccessible(page, 'the first page before its script');
});
