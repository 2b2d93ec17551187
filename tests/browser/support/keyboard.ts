import { expect, type Locator, type Page } from '@playwright/test';

/** More controls than any page has. */
const MANY = 150;

/** Moves the focus to a control with the Tab key alone. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let pressed = 0; pressed < MANY; pressed += 1) {
    if (await target.evaluate((node) => node === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  await expect(target, 'the Tab key reaches it').toBeFocused();
}

/** Moves the focus to a button or link and presses it. */
export async function press(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}

/** Moves the focus to an input and replaces its text. */
export async function typeInto(page: Page, box: Locator, text: string): Promise<void> {
  await tabTo(page, box);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(text);
}
