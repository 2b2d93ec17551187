import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';
import { TAGS } from './accessibility.ts';

/** What axe looks for that depends on the width of a page or on the size of its text. */
const LAYOUT = ['target-size', 'scrollable-region-focusable'];

interface Setting {
  name: string;
  width: number;
  height: number;
  /** The size of the text against the usual one. */
  text?: string;
  forcedColours?: boolean;
  /** The rules of axe that may say something else here than elsewhere; without them all. */
  rules?: string[];
}

/** How every page is looked at: a desk, a tablet and a phone, then as people set them who see less. */
const SETTINGS: Setting[] = [
  { name: '1280', width: 1280, height: 900 },
  { name: '768', width: 768, height: 1024, rules: LAYOUT },
  { name: '360', width: 360, height: 740 },
  // 1280 pixels at 400 percent.
  { name: '320', width: 320, height: 256, rules: LAYOUT },
  { name: '1280 with text twice as large', width: 1280, height: 900, text: '200%', rules: LAYOUT },
  { name: '360 with text twice as large', width: 360, height: 740, text: '200%', rules: LAYOUT },
  {
    name: '1280 with forced colours',
    width: 1280,
    height: 900,
    forcedColours: true,
    rules: ['color-contrast'],
  },
];

/** Where a picture of each screen goes, for somebody who looks at them. Without it none is made. */
const PICTURES = process.env.SCREENS;

/** What reaches over the right edge of a document: the first of the innermost elements that do. */
function overflow(): string[] {
  const root = document.scrollingElement ?? document.documentElement;
  if (root.scrollWidth <= window.innerWidth) return [];
  const over = [...document.body.querySelectorAll('*')].filter(
    (node) => node.getBoundingClientRect().right > window.innerWidth + 0.5,
  );
  const told = over
    .filter((node) => !over.some((other) => other !== node && node.contains(other)))
    .map((node) => `${node.tagName}.${node.className}: ${node.textContent}`.slice(0, 90));
  return [`${root.scrollWidth} in ${window.innerWidth} pixels`, ...told.slice(0, 8)];
}

/** What can be scrolled to sideways, in the page and in the frames it shows. */
async function beyond(page: Page): Promise<string[]> {
  return (await Promise.all(page.frames().map((frame) => frame.evaluate(overflow)))).flat();
}

/**
 * What axe finds on a page as it stands and in the frames it shows, by these rules or by all. It stays in
 * the page, which is looked at several times.
 */
async function barriers(page: Page, rules?: string[]): Promise<string[]> {
  const runOnly = rules ?? TAGS;
  const found = page.frames().map(async (frame) => {
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axe.source);
    return frame.evaluate(async (runOnly) => {
      const { axe } = window as unknown as { axe: typeof import('axe-core') };
      const settings = { runOnly, iframes: false, resultTypes: ['violations' as const] };
      const { violations } = await axe.run(document, settings);
      return violations.flatMap(({ id, nodes }) =>
        nodes.map((node) => `${id}: ${node.target.join(' ')}: ${node.failureSummary}`),
      );
    }, runOnly);
  });
  return (await Promise.all(found)).flat();
}

async function set(page: Page, { width, height, text, forcedColours }: Setting): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ forcedColors: forcedColours ? 'active' : 'none' });
  for (const frame of page.frames()) {
    await frame.evaluate((size) => {
      document.documentElement.style.fontSize = size;
    }, text ?? '');
  }
  // What depends on the width is drawn anew.
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
}

async function picture(page: Page, screen: string, setting: string): Promise<void> {
  if (!PICTURES) return;
  await mkdir(PICTURES, { recursive: true });
  const name = `${screen} - ${setting}.png`.replaceAll(/[^\w. -]/g, '');
  await page.screenshot({ path: join(PICTURES, name), fullPage: true });
}

/** A page as it stands, at every setting: axe finds nothing, and nothing is scrolled sideways to. */
export async function lookAt(page: Page, screen: string): Promise<void> {
  await page.waitForLoadState('networkidle');
  // What waits for an answer is pale, and has no place yet.
  await expect(page.locator('main').locator('[inert], [aria-busy="true"]')).toHaveCount(0);
  const own = page.viewportSize() ?? { width: 1280, height: 900 };
  for (const setting of SETTINGS) {
    await set(page, setting);
    await picture(page, screen, setting.name);
    const at = `${screen} at ${setting.name}`;
    // What is laid out by a script follows a moment later.
    const fits = expect.configure({ soft: true, timeout: 1000 });
    await fits.poll(() => beyond(page), `${at} needs no scrolling sideways`).toEqual([]);
    expect.soft(await barriers(page, setting.rules), `axe finds nothing on ${at}`).toEqual([]);
  }
  await set(page, { name: 'as it was', ...own });
}
