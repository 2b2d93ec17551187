import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { freePort, startExample } from './stripe.ts';
import { test as base } from './test.ts';

/** The gateways with a frame. */
export type Framed = 'globalpayments' | 'smartpayfuse';

type Ports = Record<Framed | 'stripe', number>;

interface Doubles {
  ports: Ports;
  /** Whether the page of Smartpay Fuse is a frame. If not, it replaces our page. */
  isFuseFramed: boolean;
  doubles: ChildProcess[];
}

/** Settings of a shop with three gateways. The double of Stripe refuses this shop's key. */
function settingsOf(ports: Ports, isFuseFramed: boolean): string {
  return `[payments]
gateways = ["stripe", "globalpayments", "smartpayfuse"]
[payments.stripe]
test = true
api_url = "http://127.0.0.1:${ports.stripe}"
secret_key = "sk_test_double"
webhook_secrets = ["whsec_double"]
[payments.globalpayments]
test = true
api_url = "http://127.0.0.1:${ports.globalpayments}/ucp"
app_id = "app-double"
app_key = "app-key-for-tests"
account_name = "transaction_processing_hpp"
[payments.smartpayfuse]
test = true
profile_id = "0FFEAFFB-8171-4F34-A22D-1CD38A28A384"
access_key = "00112233445566778899aabbccddeeff"
secret_key = "secret-of-the-page-4242"
rest_merchant_id = "double_merchant"
rest_key = "01234567-0123-0123-0123-012345678912"
rest_secret = "c2VjcmV0LW9mLXRoZS1yZXN0LWtleS00MjQy"
page_url = "http://127.0.0.1:${ports.smartpayfuse}"
api_url = "http://127.0.0.1:${ports.smartpayfuse}"
frame = ${isFuseFramed}
`;
}

/**
 * A shop with three gateways, played by their doubles. Global Payments sends no message, and its
 * page never returns to our page. So our page asks for the status. The server of Smartpay Fuse
 * posts nothing. So only the receipt in the browser reports the payment.
 */
export const test = base.extend<object, Doubles>({
  ports: [
    async ({}, use) =>
      use({
        stripe: await freePort(),
        globalpayments: await freePort(),
        smartpayfuse: await freePort(),
      }),
    { scope: 'worker' },
  ],

  isFuseFramed: [true, { scope: 'worker' }],

  settings: [
    async ({ ports, isFuseFramed }, use) => use(settingsOf(ports, isFuseFramed)),
    { scope: 'worker' },
  ],

  // The browser treats a document that a test changed as a page of a public network. Such a page
  // may not show frames of a local host without this permission.
  context: async ({ context }, use) => {
    await context.grantPermissions(['local-network-access']);
    await use(context);
  },

  // The tests' own script runs in each frame. The bank's frame, of another host, has no storage.
  complaints: async ({ complaints }, use) => {
    complaints.tolerate(/Failed to read the 'localStorage' property/);
    await use(complaints);
  },

  doubles: [
    async ({ ports }, use) => {
      const doubles = await Promise.all([
        startExample('stripe-double', ports.stripe),
        startExample('globalpayments-double', ports.globalpayments, ['--silent']),
        startExample('smartpayfuse-double', ports.smartpayfuse, ['--never']),
      ]);
      await use(doubles);
      const ended = doubles.map((double) => once(double, 'exit'));
      for (const double of doubles) double.stdin?.end();
      await Promise.all(ended);
    },
    { scope: 'worker', auto: true },
  ],
});

/** The same shop, where the page of Smartpay Fuse replaces our page. */
export const testOfWholePage = test.extend<object, Pick<Doubles, 'isFuseFramed'>>({
  isFuseFramed: [false, { scope: 'worker' }],
});
