import { once } from 'node:events';
import { Calls } from './calls.ts';
import { Balancer } from './balancer.ts';
import { test as base } from './database.ts';
import { Shop } from './shop.ts';
import { freePort, SECRET_KEY, startDouble, stripeSettings } from './stripe.ts';

/** The version of Stripe's API in the double (tests/stripe/double/mod.rs). */
const VERSION = '2026-10-28.endive';

/** The payments that the double of Stripe has taken. */
export class Takings {
  constructor(private readonly address: string) {}

  async payments(): Promise<{ status: string; amount_received: number }[]> {
    return this.list('payment_intents');
  }

  async refunds(): Promise<object[]> {
    return this.list('refunds');
  }

  private async list<T>(path: string): Promise<T[]> {
    const headers = { Authorization: `Bearer ${SECRET_KEY}`, 'Stripe-Version': VERSION };
    const answer = await fetch(`${this.address}/v1/${path}?limit=100`, { headers });
    if (!answer.ok) throw new Error(await answer.text());
    return ((await answer.json()) as { data: T[] }).data;
  }
}

interface Fixtures {
  takings: Takings;
}

interface WorkerFixtures {
  balancer: Balancer;
  stripePort: number;
  /** Two shops with one store, behind a balancer. */
  nodes: [Shop, Shop];
}

/** Two shops with one database behind a proxy, and a separate gateway. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  balancer: [
    async ({}, use) => {
      const balancer = await Balancer.listen();
      await use(balancer);
      balancer.close();
    },
    { scope: 'worker' },
  ],

  stripePort: [async ({}, use) => use(await freePort()), { scope: 'worker' }],

  settings: [
    async ({ database, documents, balancer, stripePort }, use) => {
      await use(`[server]
public_url = "${balancer.address}"
trusted_proxies = ["127.0.0.1"]
[store]
url = "${database.url}"
[documents]
url = "file://${documents}"
${stripeSettings(stripePort)}`);
    },
    { scope: 'worker' },
  ],

  nodes: [
    async ({ settings, shop, balancer, stripePort }, use) => {
      const other = await Shop.start(false, settings);
      await balancer.lead([shop.address, other.address]);
      const double = await startDouble(stripePort, balancer.address);
      await use([shop, other]);
      const ended = once(double, 'exit');
      double.stdin?.end();
      await ended;
      await other.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],

  baseURL: async ({ balancer }, use) => use(balancer.address),

  calls: async ({ request, balancer }, use) => use(new Calls(request, balancer.address)),

  takings: async ({ stripePort }, use) => use(new Takings(`http://127.0.0.1:${stripePort}`)),

  // The double has no icon.
  complaints: async ({ complaints }, use) => {
    complaints.tolerate(/status of 401 .* \/favicon\.ico$/);
    await use(complaints);
  },
});
