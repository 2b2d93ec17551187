import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.ts';
import { expect, test } from '../support/test.ts';

/** The limits of the scripts and requests before the first page responds. */
const MOST_SCRIPT_KIB = 129;
const MOST_REQUESTS = 20;

/** Records the addresses of the finished requests. */
async function watchLoading(page: Page): Promise<string[]> {
  const loaded: string[] = [];
  const requests = new Map<string, string>();
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  session.on('Network.responseReceived', ({ requestId, response }) => {
    requests.set(requestId, new URL(response.url).pathname);
  });
  session.on('Network.loadingFinished', ({ requestId }) => {
    const address = requests.get(requestId);
    if (address) loaded.push(address);
  });
  return loaded;
}

/** Returns the files that the HTML of a page names. */
async function namedBy(page: Page, path: string): Promise<Set<string>> {
  const html = await (await page.request.get(path)).text();
  const links = html.matchAll(/ (?:src|href)="(\/[^"]+\.(?:js|css|woff2|svg))"/g);
  return new Set([...links].map(([, address]) => address ?? ''));
}

/** Holds all other scripts. Returns the function that releases them. */
async function holdScripts(page: Page, named: Set<string>): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/assets/*.js', async (route) => {
    if (!named.has(new URL(route.request().url()).pathname)) await released;
    await route.continue();
  });
  return release;
}

/** Returns the size of the loaded scripts in KiB, compressed and without headers. */
function scriptKib(page: Page): Promise<number> {
  return page.evaluate(() => {
    const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const scripts = entries.filter(
      ({ name, responseEnd }) => responseEnd > 0 && name.endsWith('.js'),
    );
    return scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1024;
  });
}

/** Returns the layout shift, as the browser measures it. */
async function movedBy(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as { value?: number }).value ?? 0;
        }).observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => resolve(sum), 300);
      }),
  );
}

for (const path of ['/', '/breakdown']) {
  test(`${path} answers soon: little script, few requests, and nothing moves`, async ({ page }) => {
    const loaded = await watchLoading(page);
    const named = await namedBy(page, path);
    const release = await holdScripts(page, named);
    await page.goto(path);
    // The plate works with the files of the HTML alone.
    await page.getByLabel('Your registration number').fill('ab');
    const kib = await scriptKib(page);
    release();
    expect(kib).toBeGreaterThan(60);
    expect(kib).toBeLessThanOrEqual(MOST_SCRIPT_KIB);
    expect(named.size + 1, [...named].join('\n')).toBeLessThanOrEqual(MOST_REQUESTS);
    await page.waitForLoadState('networkidle');
    // Embedded responses and prices are not requested.
    const calls = loaded.filter((address) => address.startsWith('/api/'));
    expect(calls.filter((address) => address !== '/api/v1/form/breakdown/check')).toEqual([]);
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
  // The tab remembers the campaign; this address does not contain it.
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

/** Returns the positions of elements that the server renders and the website takes over. */
async function places(page: Page): Promise<Record<string, number[]>> {
  const parts = ['h1', '.hero-Hero-from', '.hero-Hero-facts', '.layout-Toolbar-name'];
  const positions: Record<string, number[]> = {};
  for (const part of parts) {
    const box = await page.locator(part).first().boundingBox();
    positions[part] = box ? [box.x, box.y, box.width, box.height].map(Math.round) : [];
  }
  return positions;
}

test('the website takes over without a jump', async ({ page, browser, baseURL }) => {
  const options = { javaScriptEnabled: false, viewport: page.viewportSize(), baseURL };
  const context = await browser.newContext(options);
  const staticPage = await context.newPage();
  for (const path of ['/', '/breakdown/european', '/cover/gadget']) {
    await staticPage.goto(path);
    await page.goto(path);
    await expect(page.getByRole('button', { name: 'My Account' })).toBeVisible();
    const prerendered = await places(staticPage);
    expect(Object.values(prerendered).flat()).toHaveLength(16);
    expect(await places(page), path).toEqual(prerendered);
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
    // Playwright finds no text in this element.
    const text = page.getByRole('main').locator('noscript p').first();
    await expect(text).toBeVisible();
    await expect(text).toHaveText(/^To get a quote here, please turn on JavaScript\./);
    await expect(page.getByText('My Account')).toBeHidden();
  });

  test('any other page says whom to call', async ({ page }) => {
    await page.goto('/dashboard');
    const text = page.locator('noscript p');
    await expect(text).toBeVisible();
    await expect(text).toHaveText(/^This page needs JavaScript\. .* call us on 01632 960 123 /);
    await expect(text.locator('a').first()).toHaveAttribute('href', 'tel:01632960123');
  });
});

test('a page whose script does not arrive is no barrier either', async ({ page, complaints }) => {
  complaints.tolerate(/net::ERR_FAILED/);
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.goto('/');
  await expect(page.getByRole('main').getByRole('link', { name: /^Call us on/ })).toBeVisible();
  await expectAccessible(page, 'the first page before its script');
});
