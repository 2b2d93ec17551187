import { beforeEach, expect, test } from 'vitest';
import { storePreferences } from '../storage/preferences';
import { forgetToken, saveToken } from '../storage/tokens';
import { mayBeLoggedIn, notifyOtherTabs } from './mayBeLoggedIn';

const UUID = '0197f3c2-0000-7000-8000-000000000001';

beforeEach(() => {
  localStorage.clear();
});

test('who never logged in here is not asked for on the pages of the shop', () => {
  for (const path of ['/', '/breakdown/local', '/cover/gadget', `/payment/${UUID}`]) {
    expect(mayBeLoggedIn(path), path).toBe(false);
  }
});

test('a login leaves a trace, and so do the preferences of somebody', () => {
  notifyOtherTabs();
  expect(mayBeLoggedIn('/')).toBe(true);
  localStorage.clear();
  storePreferences('u1');
  expect(mayBeLoggedIn('/')).toBe(true);
});

test('the pages of an account ask in any case, a quote only without its token', () => {
  for (const path of ['/dashboard', `/policy/view/${UUID}`, `/quote/edit/${UUID}`]) {
    expect(mayBeLoggedIn(path), path).toBe(true);
  }
  saveToken(UUID, 'secret');
  expect(mayBeLoggedIn(`/quote/edit/${UUID}`)).toBe(false);
  expect(mayBeLoggedIn(`/policy/view/${UUID}`)).toBe(false);
  expect(mayBeLoggedIn('/dashboard')).toBe(true);
  forgetToken(UUID);
});
