import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../support/test.ts';

/** The limits of a purchase before the card. */
const LIMITS = { clicks: 12, typed: 75 };

/** A customer with a name and an address of usual length. */
const BUYER = {
  plate: 'AB21CDE',
  first: 'Ann',
  last: 'Carter',
  born: '27/3/84',
  email: 'ann.carter@example.org',
  mobile: '07400123456',
  postcode: 'BA12QP',
  house: '12',
} as const;

/** Counts a customer's presses and typed characters. Tab and Enter do not count. */
class Effort {
  clicks = 0;
  typed = 0;

  constructor(private readonly page: Page) {}

  async press(target: Locator): Promise<void> {
    await target.click();
    this.clicks += 1;
  }

  /** Chooses from a list: one press opens the list, and one press chooses. */
  async select(target: Locator, label: string): Promise<void> {
    await target.selectOption(label);
    this.clicks += 2;
  }

  async type(target: Locator, text: string): Promise<void> {
    await target.focus();
    await this.page.keyboard.type(text);
    this.typed += text.length;
  }
}

test('cover for one vehicle is bought with few clicks and little typing', async ({
  page,
  form,
}, info) => {
  const effort = new Effort(page);
  await form.open('/');
  await effort.type(page.getByLabel('Your registration number'), BUYER.plate);
  await effort.press(page.getByRole('button', { name: 'See my cover' }));
  await effort.press(form.choice('How much cover do you need?', 'National'));
  await effort.press(form.next);
  await form.expectStep('Your details');

  const aboutYou = form.card('About you');
  await effort.select(aboutYou.getByLabel('Title', { exact: true }), 'Mrs');
  await effort.type(aboutYou.getByLabel('First name', { exact: true }), BUYER.first);
  await effort.type(aboutYou.getByLabel('Last name', { exact: true }), BUYER.last);
  await effort.type(aboutYou.getByLabel('Date of birth', { exact: true }), BUYER.born);
  await effort.type(aboutYou.getByLabel('Email address', { exact: true }), BUYER.email);
  await effort.type(aboutYou.getByLabel('A mobile we can call at the roadside'), BUYER.mobile);
  await effort.type(aboutYou.getByLabel('Postcode', { exact: true }), BUYER.postcode);
  await effort.type(aboutYou.getByLabel('House number or name'), BUYER.house);
  await page.keyboard.press('Enter');
  await expect(aboutYou.getByText('We found one address and filled it in.')).toBeVisible();

  // The registration was typed on the first page.
  const vehicle = form.card('Vehicle 1');
  await effort.press(vehicle.getByRole('radio', { name: /^Car/ }));
  await effort.press(vehicle.getByRole('button', { name: 'Yes, it is' }));
  await effort.press(form.next);
  await form.expectStep('Options');
  await effort.press(form.next);
  await form.expectStep('Payment');
  await effort.press(page.getByRole('checkbox', { name: /^I agree to the statements above/ }));
  await effort.press(form.pay);
  await expect(page).toHaveURL(/\/payment\//);

  const { clicks, typed } = effort;
  info.annotations.push({ type: 'effort', description: `${clicks} clicks, ${typed} characters` });
  expect(clicks, 'clicks before the card').toBeLessThanOrEqual(LIMITS.clicks);
  expect(typed, 'characters before the card').toBeLessThanOrEqual(LIMITS.typed);
});
