import { expect, type Page } from '@playwright/test';

/** A move as Chromium tells it. */
interface Move {
  at: number;
  value: number;
  /** Whether the visitor did something just before. */
  asked: boolean;
}

/** What moved since the page was opened, in Chromium's own measure. */
async function moves(page: Page): Promise<Move[]> {
  return page.evaluate(async () => {
    const found: PerformanceEntry[] = [];
    const observer = new PerformanceObserver((list) => found.push(...list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    // What happened before is told a moment later.
    await new Promise((told) => requestAnimationFrame(() => setTimeout(told)));
    found.push(...observer.takeRecords());
    return found.map((entry) => {
      const { value, hadRecentInput } = entry as PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
      };
      return { at: entry.startTime, value, asked: hadRecentInput };
    });
  });
}

/**
 * How much of what could be seen moved since the page was opened: the share of the screen that moved times how
 * far it did.
 */
async function moved(page: Page): Promise<number> {
  return (await moves(page)).reduce((sum, { value }) => sum + value, 0);
}

/** A page that was just opened: nothing moved away from under a finger while it loaded. */
export async function expectStill(page: Page, screen: string): Promise<void> {
  await page.waitForLoadState('networkidle');
  expect.soft(await moved(page), `${screen} stays where it is`).toBeLessThan(0.02);
}

const now = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((drawn) =>
        requestAnimationFrame(() => setTimeout(() => drawn(performance.now()))),
      ),
  );

/** What a button's label may move on its button. */
const A_LABEL = 0.005;

/** What happens by itself, such as an answer that arrives, or a step that is drawn, moves nothing. */
export async function expectUnmoved(
  page: Page,
  what: string,
  happens: () => Promise<unknown>,
): Promise<void> {
  const begun = await now(page);
  await happens();
  await page.waitForLoadState('networkidle');
  const ended = await now(page);
  const own = (await moves(page)).filter(({ at, asked }) => at > begun && at <= ended && !asked);
  const sum = own.reduce((all, { value }) => all + value, 0);
  expect.soft(sum, `${what} moves nothing`).toBeLessThan(A_LABEL);
}
