import { readFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { FakeCaches } from '../testing/rescueCard';

const CODE = readFileSync('public/worker.js', 'utf8');

interface FetchEvent {
  request: { method: string; mode: string; url: string };
  preloadResponse: Promise<Response | undefined>;
  waitUntil: (work: Promise<unknown>) => void;
  respondWith: (response: Promise<Response>) => void;
}

let caches: FakeCaches;
let isOnline: boolean;
let listeners: Record<string, (event: unknown) => void>;
let pending: Promise<unknown>[];

const waitUntil = (work: Promise<unknown>) => {
  pending.push(work);
};

beforeEach(() => {
  caches = new FakeCaches();
  isOnline = true;
  listeners = {};
  pending = [];
  const self = {
    location: { origin: 'https://shop.test' },
    addEventListener: (name: string, listener: (event: unknown) => void) => {
      listeners[name] = listener;
    },
    skipWaiting: async () => undefined,
    registration: {},
  };
  const fetch = async (request: string | FetchEvent['request']) => {
    if (!isOnline) throw new TypeError('offline');
    if (typeof request !== 'string') return new Response('the page');
    return Response.json({ data: { assistance_phone: '0330 "1" <b>' } });
  };
  new Function('self', 'caches', 'fetch', CODE)(self, caches, fetch);
});

async function install(): Promise<void> {
  listeners.install?.({ waitUntil });
  await Promise.all(pending);
}

/** Returns the worker's response to a request, or null if the worker leaves it to the browser. */
async function open(path: string, mode = 'navigate', method = 'GET'): Promise<Response | null> {
  let answer: Promise<Response> | null = null;
  const event: FetchEvent = {
    request: { method, mode, url: `https://shop.test${path}` },
    preloadResponse: Promise.resolve(undefined),
    waitUntil,
    respondWith: (response) => {
      answer = response;
    },
  };
  listeners.fetch?.(event);
  const response = await answer;
  await Promise.all(pending);
  return response;
}

test('with a network the page is what the server sends', async () => {
  await install();
  expect(await (await open('/dashboard'))?.text()).toBe('the page');
});

test('without a network each address shows the number, as text', async () => {
  await install();
  isOnline = false;
  for (const path of ['/', '/dashboard', '/policy/view/1', '/payment/success/1']) {
    const page = await open(path);
    const text = (await page?.text()) ?? '';
    expect(text, path).toContain('href="tel:03301"');
    expect(text).toContain('0330 &#34;1&#34; &#60;b&#62;');
    expect(page?.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
  }
});

test('without a network each address opens the rescue card, if there is one', async () => {
  await install();
  await caches.open('layby-rescue-card');
  isOnline = false;
  const answer = await open('/dashboard');
  expect(answer?.status).toBe(302);
  expect(answer?.headers.get('Location')).toMatch(/\/rescue-card$/);
});

test('no other request is answered', async () => {
  await install();
  isOnline = false;
  expect(await open('/api/v1/site')).toBeNull();
  expect(await open('/rescue-card')).toBeNull();
  expect(await open('/gateway/sandbox/return')).toBeNull();
  expect(await open('/assets/a.js', 'cors')).toBeNull();
  expect(await open('/payment/1', 'navigate', 'POST')).toBeNull();
});
