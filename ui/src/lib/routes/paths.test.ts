import { matchRoutes } from 'react-router';
import { describe, expect, test } from 'vitest';
import pages from '../../../../tests/fixtures/pages.json';
import { isPage, PATTERNS, paths } from './paths';

const ROUTES = Object.values(PATTERNS).map((path) => ({ path }));

/** Returns the pattern of the page that an address opens. */
function opened(address: string): string | undefined {
  return matchRoutes(ROUTES, new URL(address, 'https://shop.example'))?.at(-1)?.route.path;
}

describe('the pages', () => {
  test('are those that the server serves', () => {
    expect(Object.values(PATTERNS).sort()).toEqual(Object.keys(pages.pages).sort());
  });

  test('are opened by the addresses that the server opens them by', () => {
    for (const [pattern, addresses] of Object.entries(pages.pages)) {
      for (const address of addresses) expect(opened(address), address).toBe(pattern);
    }
    const missing = [...pages.not_sold, ...pages.malformed];
    for (const address of missing) expect(opened(address), address).toBeTruthy();
    for (const address of pages.unknown) expect(opened(address), address).toBeUndefined();
  });
});

describe('addresses', () => {
  test('lead to their own page, with what they are about', () => {
    for (const [address, pattern, expected] of [
      [paths.home(), PATTERNS.home, '/'],
      [paths.start('breakdown'), PATTERNS.home, '/'],
      [paths.start('gadget'), PATTERNS.cover, '/cover/gadget'],
      [paths.dashboard(), PATTERNS.dashboard, '/dashboard'],
      [paths.dashboard('quotes'), PATTERNS.dashboard, '/dashboard?tab=quotes'],
      [paths.portal(), PATTERNS.portal, '/portal'],
      [paths.retrievePassword(), PATTERNS.retrievePassword, '/retrieve-password'],
      [paths.payment('7'), PATTERNS.payment, '/payment/7'],
      [paths.paymentProcessing('7'), PATTERNS.paymentProcessing, '/payment/processing/7'],
      [paths.paymentSuccess('7'), PATTERNS.paymentSuccess, '/payment/success/7'],
      [paths.paymentFailure('7'), PATTERNS.paymentFailure, '/payment/failure/7'],
      [paths.policyView('7'), PATTERNS.policyView, '/policy/view/7'],
      [paths.policyView('7', 'renewal'), PATTERNS.policyView, '/policy/view/7#renewal'],
      [paths.quoteEdit('7'), PATTERNS.quoteEdit, '/quote/edit/7'],
      [paths.quoteEdit('7', { step: 'last' }), PATTERNS.quoteEdit, '/quote/edit/7?step=last'],
      [paths.quoteEdit('7', { step: undefined }), PATTERNS.quoteEdit, '/quote/edit/7'],
      [
        paths.quoteEdit('7', { step: undefined, adjustment: '8' }),
        PATTERNS.quoteEdit,
        '/quote/edit/7?adjustment=8',
      ],
      [
        paths.quoteEdit('7', new URLSearchParams('step=2&x=a b')),
        PATTERNS.quoteEdit,
        '/quote/edit/7?step=2&x=a+b',
      ],
    ]) {
      expect(address).toBe(expected);
      expect(opened(expected ?? ''), address).toBe(pattern);
    }
  });

  test('are known again as pages, with a slash behind them too', () => {
    expect(isPage('/payment/failure/7/', 'home', 'paymentFailure')).toBe(true);
    expect(isPage('/payment/failure/7', 'payment')).toBe(false);
  });

  test('are written nowhere else', () => {
    const sources = import.meta.glob<string>(
      [
        '../../**/*.{ts,tsx}',
        // Tests write the address that a visitor sees.
        '!../../**/*.test.{ts,tsx}',
        '!../../testing/**',
        '!../../**/*{testing,Testing}.{ts,tsx}',
        '!./paths.ts',
        '!./patterns.ts',
      ],
      { query: '?raw', import: 'default', eager: true },
    );
    const words = [...new Set(Object.values(PATTERNS).map((path) => path.split('/')[1]))]
      .filter(Boolean)
      .join('|');
    const address = new RegExp(
      `['"\`]/(${words})(?![\\w-])|(to|href)(=|: ?)\\{?['"\`]/|navigate\\(['"\`]/`,
    );
    const found = Object.entries(sources).flatMap(([path, text]) =>
      text
        .split('\n')
        .filter((line) => address.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    );
    expect(Object.keys(sources).length).toBeGreaterThan(200);
    expect(found).toEqual([]);
  });
});
