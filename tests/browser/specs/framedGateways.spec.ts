import type { BrowserContext, Page, Route } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.ts';
import { bringAlong, type Calls } from '../support/calls.ts';
import { now } from '../support/clock.ts';
import { type Framed, test } from '../support/framedGateways.ts';
import { press, tabTo, typeInto } from '../support/keyboard.ts';
import { cutNetwork } from '../support/offline.ts';
import { expectSuccess } from '../support/payment.ts';
import { noteForeign, runTags } from '../support/tags.ts';
import { expect } from '../support/test.ts';

const once = { tag: '@wide' };

const GATEWAYS = [
  {
    gateway: 'globalpayments',
    name: 'Global Payments',
    steps: 1,
    paid: '4263970000005262',
    challenged: '4222000001227408',
  },
  {
    gateway: 'smartpayfuse',
    name: 'Barclaycard',
    steps: 2,
    paid: '4111111111111111',
    challenged: '4000000000001091',
  },
] as const;

const card = (page: Page) => page.getByTitle('Card payment').contentFrame();
const number = (page: Page) => card(page).getByLabel('Card number');
const pay = (page: Page) => card(page).getByRole('button', { name: /^Pay( £[\d.]+)?$/ });
const opening = (page: Page) => page.getByRole('main').getByText('Opening the card payment…');
const another = (page: Page) => page.getByRole('link', { name: 'Pay another way' });

async function prepare(page: Page, calls: Calls): Promise<string> {
  const quote = await calls.createQuote();
  await calls.accept(quote);
  await bringAlong(page, quote);
  return quote.uuid;
}

async function openPage(page: Page, uuid: string, gateway: Framed): Promise<void> {
  await page.goto(`/payment/${uuid}?gateway=${gateway}`);
  await expect(number(page)).toBeVisible();
}

async function beginChallenge(page: Page, challenged: string): Promise<void> {
  await number(page).fill(challenged);
  await pay(page).click();
  // The bank's page is of another host. The gateway's page shows it in a frame.
  const complete = card(page).getByTitle(/bank/i).contentFrame().getByRole('button');
  await expect(complete.first()).toBeVisible();
}

/** Takes the gateways' hosts out of the content policy of payment pages. */
async function forbidFrames(context: BrowserContext): Promise<void> {
  await context.route(/\/payment\//, async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback();
    const response = await route.fetch();
    const policy = response.headers()['content-security-policy'] ?? '';
    const strict = policy.replace(/(frame-src|form-action) 'self'[^;]*/g, "$1 'self'");
    const headers = { ...response.headers(), 'content-security-policy': strict };
    return route.fulfill({ response, headers });
  });
}

for (const { gateway, name, steps, paid, challenged } of GATEWAYS) {
  test.describe(`with ${name} in a frame`, () => {
    test("a bank's challenge shows in the frame, and the payment leads to the thanks", async ({
      page,
      calls,
    }) => {
      await openPage(page, await prepare(page, calls), gateway);
      await beginChallenge(page, challenged);
      await expectAccessible(page, "a bank's challenge in the frame");
      const bank = card(page).getByTitle(/bank/i).contentFrame();
      await bank.getByRole('button', { name: 'Complete' }).click();
      await expectSuccess(page);
    });

    test(
      "whoever accepted cookies pays by the keyboard alone, and nobody's script runs",
      async ({ page, context, calls, shop }) => {
        const uuid = await prepare(page, calls);
        const ran = await runTags(context);
        await context.addCookies([{ name: 'layby_cookies', value: 'accepted', url: shop.address }]);
        const foreign = noteForeign(page, shop.address);
        await page.goto(`/quote/edit/${uuid}?step=last`);
        await expect.poll(() => ran).toEqual([`/quote/edit/${uuid}`]);

        await page.goto(`/payment/${uuid}`);
        await tabTo(page, page.getByRole('radio', { name: 'Stripe' }));
        for (let step = 0; step < steps; step += 1) await page.keyboard.press('ArrowDown');
        await expect(page.getByRole('radio', { name })).toBeChecked();
        await press(page, page.getByRole('button', { name: 'Continue', exact: true }));
        await expect(page).toHaveURL(new RegExp(`\\?gateway=${gateway}`));
        await expect(number(page)).toBeVisible();
        await expectAccessible(page, 'the card page in a frame');
        await typeInto(page, number(page), paid);
        await page.keyboard.press('Enter');
        await expectSuccess(page);

        await expect(page.locator('script:not([src^="/"], [type="application/json"])')).toHaveCount(
          0,
        );
        await expect(page.locator('#layby-tag-manager')).toHaveCount(0);
        expect(foreign, 'what was loaded from elsewhere while paying').toEqual([]);
        expect(ran).toEqual([`/quote/edit/${uuid}`]);
        await context.unrouteAll({ behavior: 'ignoreErrors' });
      },
    );

    test(
      'gone back, reloaded and given up, it is paid in one of two tabs, and both say thanks',
      once,
      async ({ page, context, calls }) => {
        const uuid = await prepare(page, calls);
        await test.step('Back leads to the quote, and Forward to the card form', async () => {
          await page.goto(`/quote/edit/${uuid}?step=last`);
          await openPage(page, uuid, gateway);
          await page.goBack();
          await expect(page).toHaveURL(`/quote/edit/${uuid}?step=last`);
          await page.goForward();
          await expect(number(page)).toBeVisible();
        });

        await test.step('a reload during the challenge shows the card form again', async () => {
          await beginChallenge(page, challenged);
          await page.reload();
          await expect(number(page)).toBeVisible();
        });

        await test.step('whoever gives up there comes out of the frame, and can go on', async () => {
          await card(page).getByText('Cancel').click();
          await expect(page).toHaveURL(`/payment/${uuid}?gateway=${gateway}&left`);
          await expect(number(page)).toBeVisible();
        });

        const other = await context.newPage();
        await openPage(other, uuid, gateway);
        await pay(page).click();
        await expectSuccess(page);
        await expectSuccess(other);
      },
    );

    test(
      'a network that goes while the page is open is waited for',
      once,
      async ({ page, context, calls, complaints, ports }) => {
        complaints.tolerate(/net::ERR_INTERNET_DISCONNECTED/);
        await openPage(page, await prepare(page, calls), gateway);
        const lost = page.getByText('The card payment did not load.');
        await test.step('what was typed stays', async () => {
          await number(page).fill(paid);
          await context.setOffline(true);
          await expect.poll(() => page.evaluate(() => navigator.onLine)).toBe(false);
          await context.setOffline(false);
          await expect(number(page)).toHaveValue(paid);
          await expect(lost).toBeHidden();
        });

        await test.step('a card that is sent without a network brings the form back with it', async () => {
          const restore = await cutNetwork(page, `http://127.0.0.1:${ports[gateway]}/**`);
          await pay(page).click();
          await expect(lost).toBeVisible();
          await restore();
          await expect(number(page)).toBeVisible();
        });
        await pay(page).click();
        await expectSuccess(page);
      },
    );

    test(
      'a page that never shows can be loaded again or left, and the telephone number is there',
      async ({ page, context, calls, complaints, ports }) => {
        complaints.tolerate(/net::ERR_|status of 403|Content Security Policy/);
        const uuid = await prepare(page, calls);
        await page.clock.install({ time: now() });
        let answer: (route: Route) => unknown = () => {};
        await page.route(`http://127.0.0.1:${ports[gateway]}/**`, (route) => answer(route));
        const offersHelp = async (retry: string) => {
          await expect(page.locator('iframe')).toBeAttached();
          // An error page ends the frame's load, and the time for help begins then.
          if (retry === 'Load it again') await expect(opening(page)).toBeHidden();
          await page.clock.fastForward(10_000);
          await expect(page.getByRole('button', { name: retry })).toBeVisible();
          await expect(page.getByRole('link', { name: '01632 960 123' })).toBeVisible();
          await expect(another(page)).toBeVisible();
        };
        const worksAfter = async (retry: string) => {
          answer = (route) => route.continue();
          await page.getByRole('button', { name: retry }).click();
          await expect(number(page)).toBeVisible();
        };

        await test.step('while it hangs', async () => {
          await page.goto(`/payment/${uuid}?gateway=${gateway}`);
          await expect(page.locator('iframe')).toBeAttached();
          await expect(opening(page)).toBeVisible();
          await offersHelp('Try again');
          await expectAccessible(page, 'a card page that hangs');
          await worksAfter('Try again');
        });

        await test.step('where its server refuses the connection', async () => {
          answer = (route) => route.abort('connectionrefused');
          await page.reload();
          await offersHelp('Load it again');
          await expectAccessible(page, 'a card page that refuses the connection');
          await worksAfter('Load it again');
        });

        await test.step('where it answers 403', async () => {
          answer = (route) => route.fulfill({ status: 403, body: 'Access denied' });
          await page.reload();
          await expect(card(page).getByText('Access denied')).toBeVisible();
          await offersHelp('Load it again');
          await worksAfter('Load it again');
        });

        await test.step('where our content policy forbids it', async () => {
          await forbidFrames(context);
          await page.reload();
          await offersHelp('Load it again');
          await context.unrouteAll({ behavior: 'ignoreErrors' });
        });

        await another(page).click();
        await page.getByRole('radio', { name }).check();
        await page.getByRole('button', { name: 'Continue', exact: true }).click();
        await pay(page).click();
        await expectSuccess(page);
      },
    );
  });
}

test(
  'declined by Global Payments, the same page takes another card',
  once,
  async ({ page, calls }) => {
    await openPage(page, await prepare(page, calls), 'globalpayments');
    await card(page).getByRole('button', { name: 'Decline' }).click();
    await expect(card(page).getByText('Your payment was declined.')).toBeVisible();
    await page.reload();
    await expect(page.getByText('You started to pay before.')).toBeVisible();
    await pay(page).click();
    await expectSuccess(page);
  },
);

test(
  'declined by Barclaycard, the payment leads to the page that says so',
  once,
  async ({ page, calls }) => {
    await openPage(page, await prepare(page, calls), 'smartpayfuse');
    await card(page).getByRole('button', { name: 'Decline' }).click();
    await expect(
      page.getByRole('heading', { name: 'Your payment did not go through', level: 1 }),
    ).toBeVisible();
  },
);

test(
  'a gateway that refuses names the others; each shows in its frame, and again after Back',
  once,
  async ({ page, calls, complaints, ports }) => {
    complaints.tolerate(/status of 409 .*\/initiate$/);
    const uuid = await prepare(page, calls);
    const form = { call: 'POST /v1/checkout', fault: '401' };
    await page.request.post(`http://127.0.0.1:${ports.stripe}/_double/fail`, { form });
    await page.goto(`/payment/${uuid}?gateway=stripe`);
    await page.getByRole('link', { name: 'Pay with Global Payments' }).click();
    await expect(number(page)).toBeVisible();
    await another(page).click();
    await page.getByRole('radio', { name: 'Barclaycard' }).check();
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await expect(page).toHaveURL(/gateway=smartpayfuse/);
    await expect(number(page)).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('radio', { name: 'Stripe' })).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(/gateway=globalpayments/);
    await pay(page).click();
    await expectSuccess(page);
  },
);

test(
  'the content policy of a payment page names the hosts of its gateway alone',
  once,
  async ({ page, ports }) => {
    const local = (port: number) => `http://127.0.0.1:${port}`;
    const hosts = {
      stripe: [],
      globalpayments: [local(ports.globalpayments), 'https://pay.sandbox.realexpayments.com'],
      smartpayfuse: [local(ports.smartpayfuse)],
      unknown: [],
    };
    for (const [gateway, own] of Object.entries(hosts)) {
      const address = `/payment/01a1fd8c-0000-7000-8000-000000000000?gateway=${gateway}`;
      const policy = (await page.request.get(address)).headers()['content-security-policy'];
      const sources = ["'self'", ...own].join(' ');
      expect(policy, gateway).toContain(`; frame-src ${sources}; form-action ${sources};`);
    }
  },
);
