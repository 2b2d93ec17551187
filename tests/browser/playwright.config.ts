import { defineConfig, type PlaywrightWorkerOptions } from '@playwright/test';

const browser = {
  browserName: 'chromium' as const,
  launchOptions: {
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  },
} satisfies Partial<PlaywrightWorkerOptions>;

/** These specs test the server, or pages that other specs load at both widths. They run at one width. */
const ONCE = [
  'aggregator',
  'bicycle',
  'campaigns',
  'claimQuotes',
  'databaseOutage',
  'dates',
  'joinAccount',
  'lapsed',
  'lookupServices',
  'lookupsOff',
  'midnight',
  'noGateway',
  'ownership',
  'passwords',
  'personal',
  'scheduledChanges',
  'signon',
  'trips',
  'twoNodes',
  'wholePage',
];

/** Real Chromium against the real binary. Every worker starts its own. */
export default defineConfig({
  testDir: 'specs',
  outputDir: 'test-results',
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  workers: 2,
  retries: 0,
  timeout: 90_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: {
    ...browser,
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    // Decorative transitions are switched off.
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 10_000,
    screenshot: 'only-on-failure',
  },
  projects: [
    { name: 'desktop', use: { viewport: { width: 1280, height: 900 } } },
    {
      name: 'phone',
      grepInvert: /@wide/,
      testIgnore: ONCE.map((name) => `**/${name}.spec.ts`),
      use: { viewport: { width: 360, height: 740 }, hasTouch: true, deviceScaleFactor: 2 },
    },
  ],
});
