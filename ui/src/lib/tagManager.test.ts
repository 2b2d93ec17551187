import { beforeEach, expect, test } from 'vitest';
import { recordDocument } from './navigation/ownDocument';
import { readConsent, saveConsent } from './storage/cookies';
import { startTagManager, tagManagerRuns } from './tagManager';

const tag_manager = { id: 'GTM-1', src: 'https://tags.example/gtm.js' };

beforeEach(() => {
  document.head.replaceChildren();
});

test('nothing is loaded without production, settings and consent together', () => {
  startTagManager({ tag_manager, production: false }, 'accepted');
  startTagManager({ tag_manager: null, production: true }, 'accepted');
  startTagManager({ tag_manager, production: true }, 'refused');
  startTagManager({ tag_manager, production: true }, null);
  expect(tagManagerRuns()).toBe(false);
});

test('with all three it is loaded once', () => {
  startTagManager({ tag_manager, production: true }, 'accepted');
  startTagManager({ tag_manager, production: true }, 'accepted');
  const scripts = document.head.querySelectorAll('script');
  expect(scripts).toHaveLength(1);
  expect(scripts[0]?.src).toBe('https://tags.example/gtm.js?id=GTM-1');
});

test('where somebody pays nothing is loaded, whatever was accepted', () => {
  window.history.replaceState(null, '', '/payment/1');
  recordDocument();
  startTagManager({ tag_manager, production: true }, 'accepted');
  expect(tagManagerRuns()).toBe(false);
  window.history.replaceState(null, '', '/');
  recordDocument();
});

test('the choice is a cookie, by the name the shop gives it', () => {
  expect(readConsent('shop_cookies')).toBeNull();
  saveConsent('shop_cookies', 'refused');
  expect(document.cookie).toContain('shop_cookies=refused');
  expect(readConsent('shop_cookies')).toBe('refused');
  saveConsent('shop_cookies', 'accepted');
  expect(readConsent('shop_cookies')).toBe('accepted');
});
