import { expect, type Page } from '@playwright/test';

/** A layout shift entry of Chromium. */
interface Move {
  at: number;
  value: number;
  /** Whether an input came shortly before. */
  asked: boolean;
}

/** Returns the layout shifts since the page was opened. */
async function moves(page: Page): Promise<Move[]> {
  return page.evaluate(async () => {
    const entries: PerformanceEntry[] = [];
    const observer = new PerformanceObserver((list) => entries.push(...list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    // The browser reports entries with a delay.
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    entries.push(...observer.takeRecords());
    return entries.map((entry) => {
      const { value, hadRecentInput } = entry as PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
      };
      return { at: entry.startTime, value, asked: hadRecentInput };
    });
  });
}

/**
 * Returns the layout shift score since the page was opened: the moved share of the screen times its
 * distance.
 */
async function shiftScore(page: Page): Promise<number> {
  return (await moves(page)).reduce((sum, { value }) => sum + value, 0);
}

/** Checks that a new page did not shift while it loaded. */
export async function expectNoShift(page: Page, screen: string): Promise<void> {
  await page.waitForLoadState('networkidle');
  expect.soft(await shiftScore(page), `${screen} stays where it is`).toBeLessThan(0.02);
}

const now = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((drawn) =>
        requestAnimationFrame(() => setTimeout(() => drawn(performance.now()))),
      ),
  );

/** The allowed shift of a button's label. */
const A_LABEL = 0.005;

/** Checks that an automatic change, such as a response, shifts nothing. */
export async function expectNoShiftAfter(
  page: Page,
  subject: string,
  happens: () => Promise<unknown>,
): Promise<void> {
  const startedAt = await now(page);
  await happens();
  await page.waitForLoadState('networkidle');
  const ended = await now(page);
  const own = (await moves(page)).filter(({ at, asked }) => at > startedAt && at <= ended && !asked);
  const sum = own.reduce((all, { value }) => all + value, 0);
  expect.soft(sum, `${subject} moves nothing`).toBeLessThan(A_LABEL);
}
