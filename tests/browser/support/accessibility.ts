import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Levels A and AA of WCAG up to 2.2, by axe's tags. */
export const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** The narrowest screen without horizontal scrolling, in pixels (WCAG 1.4.10). */
const NARROWEST = 320;

/** Checks a screen with axe. Also checks that the screen fits its own width and `NARROWEST`. */
export async function expectAccessible(page: Page, screen: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze();
  const findings = violations.flatMap((violation) =>
    violation.nodes.map(
      (node) => `${violation.id}: ${node.target.join(' ')}: ${node.failureSummary}`,
    ),
  );
  expect.soft(findings, `axe finds nothing on ${screen}`).toEqual([]);

  const viewport = page.viewportSize() ?? { width: NARROWEST, height: 740 };
  for (const width of [viewport.width, NARROWEST]) {
    await page.setViewportSize({ ...viewport, width });
    await expect
      .soft(page.locator('html'), `${screen} fits ${width} pixels`)
      .toHaveJSProperty('scrollWidth', width);
  }
  await page.setViewportSize(viewport);
}
