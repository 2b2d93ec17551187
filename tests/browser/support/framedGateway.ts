import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { freePort, startExample } from './stripe.ts';
import { test as base } from './test.ts';

interface Doubles {
  gatewayPort: number;
  gateway: ChildProcess;
}

/** Returns tests of a shop whose only gateway has a page in a frame, played by a double. */
export function testWith(
  example: string,
  settings: (port: number) => string,
  args: string[],
) {
  return base.extend<object, Doubles>({
    gatewayPort: [
      async ({}, use) => use(await freePort()),
      { scope: 'worker' },
    ],

    settings: [
      async ({ gatewayPort }, use) => use(settings(gatewayPort)),
      { scope: 'worker' },
    ],

    // The tests' own script runs in each frame. The bank's frame, of another host, has no storage.
    complaints: async ({ complaints }, use) => {
      complaints.tolerate(/Failed to read the 'localStorage' property/);
      await use(complaints);
    },

    gateway: [
      async ({ gatewayPort }, use) => {
        const double = await startExample(example, gatewayPort, args);
        await use(double);
        const ended = once(double, 'exit');
        double.stdin?.end();
        await ended;
      },
      { scope: 'worker', auto: true },
    ],
  });
}
