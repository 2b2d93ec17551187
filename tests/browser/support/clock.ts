import type { BrowserContext, Page } from '@playwright/test';

/** Ten in the morning in London, on a Saturday: when shops open and stories begin. */
export const MORNING = '2026-11-21T10:00:00Z';

/** What to add to the machine's time to get the time of the stories, in milliseconds. */
let ahead = Date.parse(MORNING) - Date.now();

/** The time of the stories. It runs on from where it was set, whatever the machine's clock shows. */
export function now(): number {
  return Date.now() + ahead;
}

/** Adds to what `Date` tells in a page. Timers and animations stay as they are. */
function moveDate(by: number): void {
  const Before = Date;
  const moved = () => Before.now() + by;
  globalThis.Date = new Proxy(Before, {
    apply: () => new Before(moved()).toString(),
    construct: (target, given, made) =>
      Reflect.construct(target, given.length === 0 ? [moved()] : given, made),
    get: (target, name) => (name === 'now' ? moved : Reflect.get(target, name)),
  });
}

/** Has the pages of a new context tell the time of the stories. */
export async function showTime(context: BrowserContext): Promise<void> {
  await context.addInitScript(moveDate, ahead);
}

/** How much later it is in pages that were open when the time was set last, in milliseconds. */
let moved = 0;

/** Sets the time for what is opened from now on: shops, and the pages of this context. */
export async function setTime(context: BrowserContext, moment: string): Promise<void> {
  const before = ahead;
  ahead = Date.parse(moment) - Date.now();
  moved = ahead - before;
  await context.addInitScript(moveDate, moved);
}

/** Brings a page that stayed open to the time that was set last, and has its visitor look at it. */
export async function passMidnight(page: Page): Promise<void> {
  await page.evaluate(moveDate, moved);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
}
