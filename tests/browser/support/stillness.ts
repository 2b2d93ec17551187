import { expect, type Page } from '@playwright/test';

/**
 * How much of what could be seen moved since the page was opened, in Chromium's own measure: the
 * share of the screen that moved times how far it did.
 */
async function moved(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const moves: PerformanceEntry[] = [];
    const observer = new PerformanceObserver((list) => moves.push(...list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    // What happened before is told a moment later.
    await new Promise((told) => requestAnimationFrame(() => setTimeout(told)));
    moves.push(...observer.takeRecords());
    return moves.reduce((sum, move) => sum + (move as PerformanceEntry & { value: number }).value, 0);
  });
}

/** A page that was just opened: nothing moved away from under a finger while it loaded. */
export async function expectStill(page: Page, screen: string): Promise<void> {
  await page.waitForLoadState('networkidle');
  expect.soft(await moved(page), `${screen} stays where it is`).toBeLessThan(0.02);
}
