import type { BrowserContext, Page } from '@playwright/test';

/** Ten in the morning in London, on a Saturday. Shops open and tests start at this time. */
export const MORNING = '2026-11-21T10:00:00Z';

/** The difference between the tests' time and the machine's, in milliseconds. */
let clockOffset = Date.parse(MORNING) - Date.now();

/** Returns the tests' time. It runs on from the moment that was set. */
export function now(): number {
  return Date.now() + clockOffset;
}

/** Moves `Date` in a page. Timers and animations stay real. */
function moveDate(offset: number): void {
  const Before = Date;
  const currentTime = () => Before.now() + offset;
  globalThis.Date = new Proxy(Before, {
    apply: () => new Before(currentTime()).toString(),
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [currentTime()] : args, newTarget),
    get: (target, name) => (name === 'now' ? currentTime : Reflect.get(target, name)),
  });
}

/** Sets the tests' time in the pages of a new context. */
export async function showTime(context: BrowserContext): Promise<void> {
  await context.addInitScript(moveDate, clockOffset);
}

/** How far the last setting moved the time for open pages, in milliseconds. */
let delay = 0;

/** Sets the time for new shops, and for new pages of this context. */
export async function setTime(context: BrowserContext, moment: string): Promise<void> {
  const before = clockOffset;
  clockOffset = Date.parse(moment) - Date.now();
  delay = clockOffset - before;
  await context.addInitScript(moveDate, delay);
}

/** Moves an open page to the last set time, and shows it. */
export async function passMidnight(page: Page): Promise<void> {
  await page.evaluate(moveDate, delay);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
}
