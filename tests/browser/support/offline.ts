import type { Page } from '@playwright/test';

/**
 * Cuts a page's network, and that of its frames with addresses like `frames`. Some versions of Chromium let a
 * frame load while its page is offline. Returns a function that brings the network back.
 */
export async function cutNetwork(page: Page, frames: string): Promise<() => Promise<void>> {
  await page.route(frames, (route) => route.abort('internetdisconnected'));
  await page.context().setOffline(true);
  return async () => {
    await page.unroute(frames);
    await page.context().setOffline(false);
  };
}
