import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.ts';
import { bringAlong } from '../support/calls.ts';
import { CARDS } from '../support/people.ts';
import { expectNoShift } from '../support/layoutShift.ts';
import { expect, test } from '../support/test.ts';

/** Checks whether the nearest frame of a control, or the control itself, has an outline. */
const isOutlined = (control: Locator) =>
  control.evaluate((node) => {
    const frames: Element[] = [];
    for (let frame: Element | null = node; frame; frame = frame.parentElement) frames.push(frame);
    return frames.some((frame) => getComputedStyle(frame).outlineStyle === 'solid');
  });

/** Checks that paper shows no button, and no link but telephone numbers and mail addresses. */
async function expectNothingToPressOnPaper(page: Page): Promise<void> {
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('button')).toHaveCount(0);
  await expect(page.getByRole('banner').getByRole('navigation')).toHaveCount(0);
  const links = page.getByRole('main').getByRole('link');
  const addresses = await links.evaluateAll((nodes) => nodes.map((node) => node.getAttribute('href')));
  expect(addresses.filter((address) => !/^(tel|mailto):/.test(address ?? ''))).toEqual([]);
  await expect(page.getByRole('main').locator('[href^="tel:"]').first()).toBeVisible();
  await page.emulateMedia({ media: 'screen' });
}

test.describe('a new visitor', () => {
  test.use({ knowsCookies: false });

  test('finds no barrier on the first step', async ({ page, form }) => {
    await form.open('/');
    await expect(page.getByRole('region', { name: 'Cookies' })).toBeVisible();
    await expectNoShift(page, 'the first page');
    await expectAccessible(page, 'the first page');
    await form.expectRefusal();
    await expectAccessible(page, 'the first page with errors');
    await form.chooseCover('Vehicle', 'European');
    await form.premium();
    await expectAccessible(page, 'the first page with a price');
    await form.readSummary(() => expectAccessible(page, 'the summary'));
  });
});

test('there is no barrier on the steps of a new quote', async ({ page, form }) => {
  await form.open('/breakdown/vehicle');
  await form.choose('How much cover do you need?', 'European');
  await test.step('forced colours show what is chosen and what has the focus', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    await page.getByRole('heading', { level: 1 }).click();
    const level = (name: string) => form.choice('How much cover do you need?', name);
    expect(await isOutlined(level('European'))).toBe(true);
    expect(await isOutlined(level('Local'))).toBe(false);
    await level('European').focus();
    await page.keyboard.press('Tab');
    expect(await isOutlined(page.locator(':focus'))).toBe(true);
    await page.emulateMedia({ forcedColors: 'none' });
  });
  if (!form.wide) {
    await test.step('a day of the calendar is as large as a finger', async () => {
      await page.getByRole('button', { name: 'Open the calendar' }).first().click();
      const day = page.getByRole('button', { name: /^\d+ \w+ \d{4}$/ }).first();
      expect(await day.boundingBox()).toMatchObject({ width: 44, height: 44 });
      await expectAccessible(page, 'the calendar');
      await page.keyboard.press('Escape');
    });
  }
  await form.choose('How long do you need European cover for?', 'Single trip');
  await form.goOn('Your details');
  await form.addAnother.first().click();
  await expectAccessible(page, 'your details');
  await form.expectRefusal();
  await expectAccessible(page, 'your details with errors');
  await form
    .card('Vehicle 2')
    .getByRole('button', { name: /^Remove/ })
    .click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page, 'the question before a vehicle is removed');
});

test('there is no barrier on a saved quote', async ({ page, calls, form }) => {
  const quote = await calls.createQuote();
  await bringAlong(page, quote);
  await form.open(`/quote/edit/${quote.uuid}`);
  await expectAccessible(page, 'a saved quote');
  await form.goOn('Your details');
  await form.goOn('Options');
  await expectAccessible(page, 'the options of a saved quote');
  await page.getByRole('button', { name: 'Update my details' }).click();
  await expectAccessible(page, 'the options');
  await form.goOn('Payment');
  await expectAccessible(page, 'the last step');
  await form.pay.click();
  await expect(form.problem).toBeVisible();
  await expect(form.pay).toBeVisible();
  await expectAccessible(page, 'the last step with an error');
});

test('there is no barrier while paying', async ({ page, calls, complaints }) => {
  complaints.tolerate(/status of 422 .* \/gateway\/sandbox\/pay\//);
  const quote = await calls.createQuote();
  await calls.accept(quote);
  await bringAlong(page, quote);
  await page.goto(`/payment/${quote.uuid}`);
  const frame = page.getByTitle('Card payment').contentFrame();
  await expect(frame.getByLabel('Card number')).toBeVisible();
  await expectNoShift(page, 'the payment page');
  await expectAccessible(page, 'the payment page');
  await frame.getByRole('button', { name: /^Pay £/ }).click();
  await expect(frame.getByRole('alert')).toBeVisible();
  await expectAccessible(page, 'the payment page with errors');
});

test('there is no barrier after paying', async ({ page, calls }) => {
  const quote = await calls.createQuote();
  await bringAlong(page, quote);
  await calls.payFor(quote, CARDS.declined);
  await page.goto(`/payment/failure/${quote.uuid}`);
  await expect(page.getByRole('link', { name: 'Try again' })).toBeVisible();
  await expectAccessible(page, 'the failed payment');

  await calls.payFor(quote, CARDS.paid);
  await page.goto(`/payment/success/${quote.uuid}`);
  await expect(page.getByRole('link', { name: 'View your policy' })).toBeVisible();
  await expectAccessible(page, 'the payment that succeeded');
  await expectNothingToPressOnPaper(page);

  await page.goto(`/policy/view/${quote.uuid}`);
  await expect(page.getByRole('heading', { name: `Policy ID: ${quote.customId}` })).toBeVisible();
  await expectNoShift(page, 'the policy');
  await expectAccessible(page, 'the policy');
  await expectNothingToPressOnPaper(page);
});

test('there is no barrier where there is nothing to see', async ({ page, complaints }) => {
  complaints.tolerate(/status of 404 .* \/no-such-page$/);
  await page.goto('/no-such-page');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectAccessible(page, 'the page that is not there');

  await page.goto('/dashboard');
  await expect(page.getByLabel('Username')).toBeVisible();
  await expectAccessible(page, 'the dashboard of nobody');
});
