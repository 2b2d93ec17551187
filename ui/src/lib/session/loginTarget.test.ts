import { afterEach, expect, test, vi } from 'vitest';
import { readLoginTarget, storeLoginTarget, TARGET_MS } from './loginTarget';

const readTarget = (address: string) => {
  const { pathname, search } = new URL(address, window.location.origin);
  storeLoginTarget({ pathname, search });
  return readLoginTarget();
};

afterEach(() => {
  vi.useRealTimers();
  localStorage.clear();
});

test.each([
  ['/dashboard?state=%2Fpolicy%2Fview%2F1', '/policy/view/1'],
  ['/dashboard?tab=policies', '/dashboard?tab=policies'],
  ['/policy/view/1', '/policy/view/1'],
  ['/dashboard', null],
  ['/retrieve-password', null],
  ['/payment/success/1', null],
  ['/dashboard?state=%2F%2Fevil.example', '/dashboard?state=%2F%2Fevil.example'],
])('at %s a login leads to %s', (address, path) => {
  expect(readTarget(address)).toBe(path);
});

test('the page is forgotten with the mailed link, and a stored text that is no path counts for nothing', () => {
  vi.useFakeTimers();
  expect(readTarget('/policy/view/1')).toBe('/policy/view/1');
  vi.advanceTimersByTime(TARGET_MS);
  expect(readLoginTarget()).toBeNull();
  localStorage.setItem(
    'layby.login-target',
    JSON.stringify({ path: '//evil.example', at: Date.now() }),
  );
  expect(readLoginTarget()).toBeNull();
});
