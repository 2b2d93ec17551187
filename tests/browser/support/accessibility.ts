import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Level A and AA of WCAG up to 2.2, as axe tags its rules. */
export const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** The narrowest screen that nothing may need to be scrolled sideways on (WCAG 1.4.10). */
const NARROWEST = 320;

/** A screen as it stands: axe finds nothing, and it fits its width and the narrowest one. */
export async function expectAccessible(page: Page, screen: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze();
  const found = violations.flatMap((violation) =>
    violation.nodes.map(
      (node) => `${violation.id}: ${node.target.join(' ')}: ${node.failureSummary}`,
    ),
  );
  expect.soft(found, `axe finds nothing on ${screen}`).toEqual([]);

  const own = page.viewportSize() ?? { width: NARROWEST, height: 740 };
  for (const width of [own.width, NARROWEST]) {
    await page.setViewportSize({ ...own, width });
    await expect
      .soft(page.locator('html'), `${screen} fits ${width} pixels`)
      .toHaveJSProperty('scrollWidth', width);
  }
  await page.setViewportSize(own);
}
