import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PaymentStarted } from '../../../api/types';
import { serve, show } from '../../../testing/server';
import { CardFrame, LOAD_MS } from './CardFrame';

const OWN: PaymentStarted = {
  payment_id: 'p1',
  kind: 'iframe',
  url: '/gateway/sandbox/pay/s',
  method: 'GET',
  fields: {},
  resumed: false,
  earlier_processing: false,
};
const EXTERNAL_PAGE = { ...OWN, url: 'https://pay.example/page' };

const LOAD_FAILED = 'The card payment did not load.';
let isOnline = true;

const frame = () => screen.getByTitle<HTMLIFrameElement>('Card payment');
const isHidden = () => frame().closest('[hidden]') !== null;
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

/** Simulates the load of the gateway's page, of the browser's error page, or of an empty page. */
function load(page: 'own' | 'error' | 'empty') {
  const value = { own: document, error: null, empty: { URL: 'about:blank' } }[page];
  Object.defineProperty(frame(), 'contentDocument', { value, configurable: true });
  fireEvent.load(frame());
}

async function open(attempt = OWN, onRestart = () => {}) {
  serve();
  const props = { attempt, provider: 'sandbox', onDone: () => {}, onRestart };
  show({ '/': <CardFrame {...props} /> }, '/');
  await pass(0);
}

beforeEach(() => {
  isOnline = true;
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => isOnline);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test.each([
  ['our own', OWN],
  ["another host's", EXTERNAL_PAGE],
  ['a posted', { ...EXTERNAL_PAGE, method: 'POST' as const }],
])('%s card form may offer Apple Pay and Google Pay, and nothing else', async (_, attempt) => {
  vi.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(() => undefined);
  await open(attempt);
  expect(frame().getAttribute('allow')).toBe('payment');
});

test('a card form that has loaded is left alone', async () => {
  await open();
  screen.getByText('Opening the card payment…');
  load('own');
  expect(screen.queryByText(/Opening/)).toBeNull();
  await pass(LOAD_MS);
  expect(screen.queryByText(LOAD_FAILED)).toBeNull();
  expect(isHidden()).toBe(false);
});

test('one that does not load says what is known, and one that comes late is shown all the same', async () => {
  await open();
  await pass(LOAD_MS - 1);
  expect(screen.queryByText(LOAD_FAILED)).toBeNull();
  await pass(1);
  expect(screen.getByRole('alert').textContent).toContain(
    'Nothing was taken unless you had pressed Pay.',
  );
  expect(isHidden()).toBe(true);
  load('own');
  expect(screen.queryByText(LOAD_FAILED)).toBeNull();
  expect(isHidden()).toBe(false);
});

test('a frame of another host may show an error that only the customer sees', async () => {
  await open(EXTERNAL_PAGE);
  load('own');
  expect(screen.queryByText(/^Is there no card form/)).toBeNull();
  await pass(LOAD_MS);
  screen.getByText(/^Is there no card form/);
  await vi.waitFor(() => screen.getByText(/If you need a hand, call/));
  screen.getByRole('link', { name: '0330 123 4567' });
  const before = frame();
  fireEvent.click(screen.getByRole('button', { name: 'Load it again' }));
  expect(frame()).not.toBe(before);
});

test('one that is posted to is empty first, which is no page of the gateway', async () => {
  const submit = vi.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(() => {});
  await open({ ...EXTERNAL_PAGE, method: 'POST' });
  expect(submit).toHaveBeenCalledTimes(1);
  load('empty');
  await pass(LOAD_MS);
  expect(screen.getByText(LOAD_FAILED)).toBeTruthy();
});

test('a signed form is never posted a second time: Try again starts the payment again', async () => {
  const submit = vi.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(() => {});
  const restart = vi.fn();
  await open({ ...EXTERNAL_PAGE, method: 'POST' }, restart);
  await pass(LOAD_MS);
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(restart).toHaveBeenCalledTimes(1);
  expect(submit).toHaveBeenCalledTimes(1);
});

test("the browser's error in place of a page is not shown, and Try again loads the page anew", async () => {
  await open();
  load('own');
  // The customer pays, and the network fails.
  load('error');
  expect(screen.getByText(LOAD_FAILED)).toBeTruthy();
  const before = frame();
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(screen.queryByText(LOAD_FAILED)).toBeNull();
  expect(frame()).not.toBe(before);
});

test('it loads anew by itself once the network is there, also from another host', async () => {
  isOnline = false;
  await open(EXTERNAL_PAGE);
  load('error');
  expect(screen.getByText(LOAD_FAILED)).toBeTruthy();
  const before = frame();
  isOnline = true;
  act(() => void window.dispatchEvent(new Event('online')));
  expect(frame()).not.toBe(before);
  load('error');
  expect(screen.queryByText(LOAD_FAILED)).toBeNull();
});
