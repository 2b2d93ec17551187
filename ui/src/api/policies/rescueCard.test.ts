import { beforeEach, expect, test, vi } from 'vitest';
import { cardWith, FakeCaches, FakeLocks } from '../../testing/rescueCard';
import {
  fetchCard,
  removeCard,
  storeCard,
  storeDocuments,
  storedCard,
  storedDocuments,
  updateCard,
} from './rescueCard';

const STORED = { key: 'named.secret', card: cardWith() };

let caches: FakeCaches;
let unregistered: string[];
let calls: { path: string; key: string | undefined; method: string }[];

function answers(answer: (path: string) => Response) {
  vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
    const key = (init.headers as Record<string, string>)['X-Card-Key'];
    init.signal?.throwIfAborted();
    calls.push({ path, key, method: init.method ?? 'GET' });
    return answer(path);
  });
}

beforeEach(() => {
  caches = new FakeCaches();
  unregistered = [];
  calls = [];
  vi.stubGlobal('caches', caches);
  const registration = (scope: string) => ({
    scope: `http://shop.test${scope}`,
    unregister: async () => unregistered.push(scope),
  });
  vi.stubGlobal('navigator', {
    locks: new FakeLocks(),
    serviceWorker: {
      getRegistrations: async () => ['/rescue-card', '/', '/other'].map(registration),
    },
  });
  answers(() => new Response('%PDF'));
  return () => vi.unstubAllGlobals();
});

test('no cache is created until a card is stored', async () => {
  expect(await storedCard()).toBeNull();
  expect([...caches.stored.keys()]).toEqual([]);
  await storeCard(STORED);
  expect(await storedCard()).toEqual(STORED);
});

test('its documents are stored with it, and earlier ones are removed', async () => {
  await storeCard(STORED);
  await storeDocuments(STORED);
  expect([...(await storedDocuments(STORED.card))]).toEqual(['d1']);
  expect(calls).toEqual([
    { path: '/api/v1/rescue-card/documents/d1', key: 'named.secret', method: 'GET' },
  ]);
  const [policy] = STORED.card.policies;
  const document = { identifier: 'd2', title: 'Policy Schedule', is_ready: true, date: null };
  const card = cardWith({ policies: policy ? [{ ...policy, documents: [document] }] : [] });
  await storeDocuments({ ...STORED, card });
  const paths = [...(caches.stored.get('layby-rescue-card')?.keys() ?? [])];
  expect(paths).toEqual(['/rescue-card/card.json', '/rescue-card/documents/d2.pdf']);
});

test('a pending document is not requested', async () => {
  await storeCard(STORED);
  const [policy] = STORED.card.policies;
  const document = { identifier: 'd2', title: 'Policy Schedule', is_ready: false, date: null };
  const card = cardWith({ policies: policy ? [{ ...policy, documents: [document] }] : [] });
  await storeDocuments({ ...STORED, card });
  expect(calls).toEqual([]);
  expect((await storedDocuments(card)).size).toBe(0);
});

test('a document that does not come is left for the next time', async () => {
  await storeCard(STORED);
  answers(() => new Response('{}', { status: 409 }));
  await storeDocuments(STORED);
  expect((await storedDocuments(STORED.card)).size).toBe(0);
});

test('its key is sent in a header and never in an address', async () => {
  answers(() => Response.json({ data: STORED.card }));
  expect(await fetchCard(STORED.key)).toEqual(STORED.card);
  expect(calls).toEqual([{ path: '/api/v1/rescue-card', key: 'named.secret', method: 'GET' }]);
  answers(() => new Response('{}', { status: 401 }));
  expect(await fetchCard(STORED.key)).toBeNull();
  answers(() => new Response('{}', { status: 503 }));
  await expect(fetchCard(STORED.key)).rejects.toThrow('503');
});

test('removing leaves nothing behind, also offline', async () => {
  await storeCard(STORED);
  await caches.open('layby-rescue-card-page');
  answers(() => {
    throw new TypeError('offline');
  });
  expect(await removeCard()).toBe(true);
  expect([...caches.stored.keys()]).toEqual([]);
  expect(unregistered).toEqual(['/rescue-card', '/']);
  expect(calls).toEqual([
    { path: '/api/v1/rescue-card/remove', key: 'named.secret', method: 'POST' },
  ]);
  expect(await removeCard()).toBe(false);
});

test('removed during a refresh, it is not restored', async () => {
  await storeCard(STORED);
  const reading = [
    updateCard(STORED),
    storeDocuments(STORED),
    storedDocuments(STORED.card),
  ] as const;
  await removeCard();
  await Promise.all(reading);
  expect(await updateCard(STORED)).toBe(false);
  await storeDocuments(STORED);
  expect((await storedDocuments(STORED.card)).size).toBe(0);
  expect([...caches.stored.keys()]).toEqual([]);
});

test('no document is read for a card that is being removed', async () => {
  await storeCard(STORED);
  const removal = new AbortController();
  removal.abort();
  await expect(storeDocuments(STORED, removal.signal)).rejects.toThrow();
  expect(calls).toEqual([]);
});

test('another card that was stored meanwhile stays', async () => {
  await storeCard(STORED);
  const other = { ...STORED, key: 'other.secret' };
  await storeCard(other);
  expect(await updateCard(STORED)).toBe(false);
  await storeDocuments(STORED);
  expect(await storedCard()).toEqual(other);
  expect([...(caches.stored.get('layby-rescue-card')?.keys() ?? [])]).toHaveLength(1);
});
