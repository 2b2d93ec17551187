import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { dirname, resolve } from 'node:path';
import { now } from './clock.ts';
import { test as base } from './test.ts';

const STARTS_WITHIN_MS = 20_000;

/** The double's secret key for the shop. */
export const SECRET_KEY = 'sk_test_double';

/** Settings of a shop with Stripe, played by a double at this port, and the built-in gateway. */
export function stripeSettings(port: number): string {
  return `[payments]
gateways = ["stripe", "sandbox"]
[payments.stripe]
test = true
api_url = "http://127.0.0.1:${port}"
secret_key = "${SECRET_KEY}"
webhook_secrets = ["whsec_double"]
`;
}

/** Returns a free port. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  if (address === null || typeof address === 'string') throw new Error('there is no free port');
  return address.port;
}

/** Starts the double of a gateway, built beside the shop, with the tests' time. */
export async function startExample(
  name: string,
  port: number,
  more: string[] = [],
): Promise<ChildProcess> {
  const binary = process.env.SHOP_BINARY;
  if (!binary) throw new Error('SHOP_BINARY names no binary to test');
  const double = resolve(dirname(binary), 'examples', name);
  const args = ['--listen', `127.0.0.1:${port}`, '--clock', String(Math.floor(now() / 1000))];
  const child = spawn(double, [...args, ...more], { stdio: ['pipe', 'pipe', 'inherit'] });
  const timeoutSignal = AbortSignal.timeout(STARTS_WITHIN_MS);
  // The double prints its address.
  await Promise.race([
    once(child.stdout, 'data', { signal: timeoutSignal }),
    once(child, 'error').then(([error]) => Promise.reject(error)),
  ]);
  return child;
}

/** Starts the double of Stripe (tests/stripe). */
export async function startDouble(port: number, shop: string): Promise<ChildProcess> {
  const callback = `${shop}/api/v1/gateway/stripe/callback`;
  return startExample('stripe-double', port, ['--webhook', callback]);
}

interface Doubles {
  stripePort: number;
  stripe: ChildProcess;
}

/** A shop with Stripe, played by the double, and the built-in gateway. */
export const test = base.extend<object, Doubles>({
  stripePort: [
    async ({}, use) => use(await freePort()),
    { scope: 'worker' },
  ],

  settings: [
    async ({ stripePort }, use) => use(stripeSettings(stripePort)),
    { scope: 'worker' },
  ],

  // The double has no icon. It declines a card as Stripe does.
  complaints: async ({ complaints }, use) => {
    complaints.tolerate(/status of 401 .* \/favicon\.ico$/);
    complaints.tolerate(/status of 402 .* \/pay\/cs_/);
    await use(complaints);
  },

  stripe: [
    async ({ shop, stripePort }, use) => {
      const double = await startDouble(stripePort, shop.address);
      await use(double);
      const ended = once(double, 'exit');
      double.stdin?.end();
      await ended;
    },
    { scope: 'worker', auto: true },
  ],
});
