import { afterEach, beforeEach, expect, test } from 'vitest';
import { recentErrors } from '../lib/errors';
import { clearSnackbar, snackbar } from '../lib/messages/snackbar';
import { ApiError } from './client';
import { reportUncaughtFailures } from './uncaughtErrors';

let stop = () => {};
beforeEach(() => {
  stop = reportUncaughtFailures();
  clearSnackbar();
});
afterEach(() => stop());

/** Dispatches the event of a rejected promise that no code has caught. */
function reject(reason: unknown) {
  window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason }));
}

function withStack(line: string) {
  const failure = new TypeError('x is undefined');
  failure.stack = `TypeError: x is undefined\n    at press (${line})`;
  return failure;
}

const MESSAGE = 'Something went wrong. Please check whether it was done before you try again.';

test('what was pressed and failed in our own code is said, and kept for the telephone', () => {
  reject(withStack(`${window.location.origin}/assets/quote.js:1:2`));
  expect(snackbar.get()?.text).toBe(MESSAGE);
  expect(recentErrors.get().at(-1)?.message).toBe('x is undefined');
  clearSnackbar();
  const error = withStack(`${window.location.origin}/assets/quote.js:1:2`);
  window.dispatchEvent(Object.assign(new Event('error'), { error }));
  expect(snackbar.get()?.text).toBe(MESSAGE);
});

test("the server's refusal is said in its words", () => {
  reject(new ApiError(503, 'We are stopping.'));
  expect(snackbar.get()?.text).toBe('We are stopping.');
});

test("nothing is said of a call that was given up, of others' code and of the browser's layout", () => {
  reject(new DOMException('gone', 'AbortError'));
  reject(withStack('https://tags.example.com/gtm.js:1:2'));
  reject(withStack('chrome-extension://abc/content.js:1:2'));
  window.dispatchEvent(Object.assign(new Event('error'), { message: 'ResizeObserver loop' }));
  expect(snackbar.get()).toBeNull();
});
