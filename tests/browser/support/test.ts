import { test as base, expect } from '@playwright/test';
import { Account } from './account.ts';
import { Complaints } from './browser.ts';
import { Calls } from './calls.ts';
import { showTime } from './clock.ts';
import { Customers } from './customers.ts';
import { Mailbox } from './mailbox.ts';
import { QuoteForm } from './quoteForm.ts';
import { Shop } from './shop.ts';

export { expect };

interface Fixtures {
  /** Whether the visitor has already answered the cookie banner. */
  knowsCookies: boolean;
  complaints: Complaints;
  calls: Calls;
  mailbox: Mailbox;
  customers: Customers;
  account: Account;
  form: QuoteForm;
}

interface WorkerFixtures {
  seeded: boolean;
  /** The settings of an unusual shop, as TOML. */
  settings: string;
  shop: Shop;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  seeded: [false, { option: true, scope: 'worker' }],

  settings: ['', { option: true, scope: 'worker' }],

  shop: [
    async ({ seeded, settings }, use) => {
      const shop = await Shop.start(seeded, settings);
      await use(shop);
      await shop.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],

  baseURL: async ({ shop }, use) => use(shop.address),

  context: async ({ context }, use) => {
    await showTime(context);
    await use(context);
  },

  knowsCookies: [true, { option: true }],

  // In every test, no page may report an error.
  complaints: [
    async ({ context, baseURL, knowsCookies }, use) => {
      const complaints = new Complaints();
      complaints.listenTo(context);
      if (knowsCookies) {
        await context.addCookies([{ name: 'layby_cookies', value: 'refused', url: baseURL }]);
      }
      await use(complaints);
      expect(complaints.left, 'no page complains').toEqual([]);
    },
    { auto: true },
  ],

  calls: async ({ request, shop }, use) => use(new Calls(request, shop.address)),

  mailbox: async ({ shop }, use) => use(new Mailbox(shop.mail)),

  customers: async ({ request, shop, mailbox }, use) =>
    use(new Customers(request, shop.address, mailbox)),

  account: async ({ page }, use) => use(new Account(page)),

  form: async ({ page }, use) => use(new QuoteForm(page)),
});
