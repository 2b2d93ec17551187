import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';
import { TAGS } from './accessibility.ts';

/** The rules of axe that depend on the width of a page or the size of its text. */
const LAYOUT = ['target-size', 'scrollable-region-focusable'];

interface Setting {
  name: string;
  width: number;
  height: number;
  /** The size of the text relative to the default. */
  text?: string;
  forcedColours?: boolean;
  /** The rules of axe that may fail here; all if undefined. */
  rules?: string[];
}

/**
 * The settings of each check: a desk, a tablet and a phone, then the settings of people with low
 * vision.
 */
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

/** The folder for pictures of each screen. Without this folder, the tests store no picture. */
const PICTURES = process.env.SCREENS;

/** Returns the innermost elements beyond the right edge of a document. */
function overflow(): string[] {
  const root = document.scrollingElement ?? document.documentElement;
  if (root.scrollWidth <= window.innerWidth) return [];
  const overflowing = [...document.body.querySelectorAll('*')].filter(
    (node) => node.getBoundingClientRect().right > window.innerWidth + 0.5,
  );
  const descriptions = overflowing
    .filter((node) => !overflowing.some((other) => other !== node && node.contains(other)))
    .map((node) => `${node.tagName}.${node.className}: ${node.textContent}`.slice(0, 90));
  return [`${root.scrollWidth} in ${window.innerWidth} pixels`, ...descriptions.slice(0, 8)];
}

/** Returns the horizontal overflow of the page and its frames. */
async function beyond(page: Page): Promise<string[]> {
  return (await Promise.all(page.frames().map((frame) => frame.evaluate(overflow)))).flat();
}

/**
 * Returns the findings of axe on a page and its frames, by these rules or by all. axe stays in the
 * page for the next check.
 */
async function barriers(page: Page, rules?: string[]): Promise<string[]> {
  const runOnly = rules ?? TAGS;
  const findings = page.frames().map(async (frame) => {
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
  return (await Promise.all(findings)).flat();
}

async function set(page: Page, { width, height, text, forcedColours }: Setting): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ forcedColors: forcedColours ? 'active' : 'none' });
  for (const frame of page.frames()) {
    await frame.evaluate((size) => {
      document.documentElement.style.fontSize = size;
    }, text ?? '');
  }
  // Width-dependent parts render again.
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

/** Checks a page at every setting: axe finds nothing, and nothing overflows. */
export async function lookAt(page: Page, screen: string): Promise<void> {
  await page.waitForLoadState('networkidle');
  // A pending element is pale, and has no final position yet.
  await expect(page.locator('main').locator('[inert], [aria-busy="true"]')).toHaveCount(0);
  const viewport = page.viewportSize() ?? { width: 1280, height: 900 };
  for (const setting of SETTINGS) {
    await set(page, setting);
    await picture(page, screen, setting.name);
    const label = `${screen} at ${setting.name}`;
    // A script's layout follows a moment later.
    const softly = expect.configure({ soft: true, timeout: 1000 });
    await softly.poll(() => beyond(page), `${label} needs no scrolling sideways`).toEqual([]);
    expect.soft(await barriers(page, setting.rules), `axe finds nothing on ${label}`).toEqual([]);
  }
  await set(page, { name: 'as it was', ...viewport });
}
