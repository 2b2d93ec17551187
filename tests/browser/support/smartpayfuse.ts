import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { freePort, startExample } from './stripe.ts';
import { test as base } from './test.ts';

/** Settings of a shop with Smartpay Fuse, played by a double at this port. */
function fuseSettings(port: number): string {
  return `[payments]
gateways = ["smartpayfuse"]
[payments.smartpayfuse]
test = true
profile_id = "0FFEAFFB-8171-4F34-A22D-1CD38A28A384"
access_key = "00112233445566778899aabbccddeeff"
secret_key = "secret-of-the-page-4242"
rest_merchant_id = "double_merchant"
rest_key = "01234567-0123-0123-0123-012345678912"
rest_secret = "c2VjcmV0LW9mLXRoZS1yZXN0LWtleS00MjQy"
page_url = "http://127.0.0.1:${port}"
api_url = "http://127.0.0.1:${port}"
`;
}

interface Doubles {
  fusePort: number;
  fuse: ChildProcess;
}

/**
 * A shop with Smartpay Fuse, played by the double (tests/smartpayfuse). Its server posts nothing: the
 * receipt of the browser alone sells.
 */
export const test = base.extend<object, Doubles>({
  fusePort: [
    async ({}, use) => use(await freePort()),
    { scope: 'worker' },
  ],

  settings: [
    async ({ fusePort }, use) => use(fuseSettings(fusePort)),
    { scope: 'worker' },
  ],

  // The tests' own script runs in each frame. The bank's frame, of another host, has no storage.
  complaints: async ({ complaints }, use) => {
    complaints.tolerate(/Failed to read the 'localStorage' property/);
    await use(complaints);
  },

  fuse: [
    async ({ fusePort }, use) => {
      const double = await startExample('smartpayfuse-double', fusePort, ['--never']);
      await use(double);
      const ended = once(double, 'exit');
      double.stdin?.end();
      await ended;
    },
    { scope: 'worker', auto: true },
  ],
});
