import { expect, type Locator, type Page } from '@playwright/test';

/** More controls than any page has. */
const MANY = 150;

/** Goes to a control with the Tab key alone. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let pressed = 0; pressed < MANY; pressed += 1) {
    if (await target.evaluate((node) => node === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  await expect(target, 'the Tab key reaches it').toBeFocused();
}
