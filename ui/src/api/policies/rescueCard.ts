import type { components } from '../schema.gen';

// The rescue card on its device: the card, its key and its documents in one cache of the browser, which
// the card's worker reads too. The page itself is in a second cache, which the worker fills.

export type Card = components['schemas']['Card'];
export type CardPolicy = components['schemas']['CardPolicy'];

/** What a device keeps. */
export interface StoredCard {
  /** Reads this card again, and nothing else. */
  key: string;
  card: Card;
}

export const CARD_PAGE = '/rescue-card';
export const CARD_WORKER = '/rescue-card/worker.js';
const CARD_CACHE = 'layby-rescue-card';
const PAGE_CACHE = 'layby-rescue-card-page';
const CARD = '/rescue-card/card.json';
const CALL = '/api/v1/rescue-card';

/** Where a kept document is opened. */
export const storedDocumentPath = (identifier: string) =>
  `/rescue-card/documents/${encodeURIComponent(identifier)}.pdf`;

/** Whether this browser can keep a card. */
export function canStoreCard(): boolean {
  return 'caches' in globalThis && 'serviceWorker' in navigator && 'locks' in navigator;
}

/** Does one thing with what is kept at a time, in all tabs, so that what is removed isn't put back. */
const withLock = <T>(work: () => Promise<T>): Promise<T> =>
  navigator.locks.request(CARD_CACHE, work).then((result) => result);

/** The cache of the card that is kept; opened where none is kept, it would be made. */
async function cacheOfCard(): Promise<Cache | null> {
  return (await caches.has(CARD_CACHE)) ? caches.open(CARD_CACHE) : null;
}

async function readCard(cache: Cache | null): Promise<StoredCard | null> {
  const response = await cache?.match(CARD);
  return response ? ((await response.json()) as StoredCard) : null;
}

/** The card that this device keeps. */
export async function storedCard(): Promise<StoredCard | null> {
  try {
    return canStoreCard() ? await withLock(async () => readCard(await cacheOfCard())) : null;
  } catch {
    return null;
  }
}

/** Keeps a card in place of the one that is kept. */
export function storeCard(card: StoredCard): Promise<void> {
  return withLock(async () => {
    const cache = await caches.open(CARD_CACHE);
    await cache.put(CARD, Response.json(card));
  });
}

/** Keeps a card as it stands now. Answers false, and keeps nothing, where it was removed or replaced. */
export function updateCard(card: StoredCard): Promise<boolean> {
  return withLock(async () => {
    const cache = await cacheOfCard();
    if (!cache || (await readCard(cache))?.key !== card.key) return false;
    await cache.put(CARD, Response.json(card));
    return true;
  });
}

const withKey = (key: string) => ({ headers: { 'X-Card-Key': key }, cache: 'no-store' }) as const;

/** How the card stands now; null where its key is no longer valid. Throws without an answer. */
export async function fetchCard(key: string, signal?: AbortSignal): Promise<Card | null> {
  const answer = await fetch(CALL, { ...withKey(key), signal });
  if (answer.status === 401) return null;
  if (!answer.ok) throw new Error(`The card could not be read: ${answer.status}`);
  return ((await answer.json()) as { data: Card }).data;
}

/** Which documents of a card this device keeps. */
export async function storedDocuments(card: Card): Promise<Set<string>> {
  const keys = await withLock(async () => (await cacheOfCard())?.keys());
  const paths = new Set(keys?.map(({ url }) => new URL(url).pathname));
  const all = card.policies.flatMap(({ documents }) => documents);
  const current = all.filter(({ identifier }) => paths.has(storedDocumentPath(identifier)));
  return new Set(current.map(({ identifier }) => identifier));
}

/**
 * Keeps the card's documents that aren't kept yet, as far as they are made, and drops those that aren't
 * its own any more.
 */
export async function storeDocuments({ key, card }: StoredCard): Promise<void> {
  const storedIds = await storedDocuments(card);
  const documents = card.policies.flatMap(({ documents }) => documents);
  for (const { identifier, is_ready } of documents) {
    if (storedIds.has(identifier) || !is_ready) continue;
    const path = `${CALL}/documents/${encodeURIComponent(identifier)}`;
    const answer = await fetch(path, withKey(key));
    if (!answer.ok) continue;
    const headers = { 'Content-Type': 'application/pdf', 'Content-Disposition': 'inline' };
    const pages = new Response(await answer.blob(), { headers });
    await withLock(async () => {
      const cache = await cacheOfCard();
      if ((await readCard(cache))?.key === key)
        await cache?.put(storedDocumentPath(identifier), pages);
    });
  }
  const paths = new Set([
    CARD,
    ...documents.map(({ identifier }) => storedDocumentPath(identifier)),
  ]);
  await withLock(async () => {
    const cache = await cacheOfCard();
    if (!cache || (await readCard(cache))?.key !== key) return;
    for (const { url } of await cache.keys()) {
      const { pathname } = new URL(url);
      if (!paths.has(pathname)) await cache.delete(pathname);
    }
  });
}

/** Leaves nothing of a card on this device: no worker, no page, no card. */
export async function dropCard(): Promise<void> {
  if (!canStoreCard()) return;
  const registered = await navigator.serviceWorker.getRegistrations();
  const own = registered.filter(({ scope }) => new URL(scope).pathname === CARD_PAGE);
  await Promise.all(own.map((registration) => registration.unregister()));
  await withLock(async () => {
    await caches.delete(CARD_CACHE);
    await caches.delete(PAGE_CACHE);
  });
}

/** Ends the key of a card; without a network it ends with its policy. */
export async function endKey(key: string): Promise<void> {
  const call = { method: 'POST', keepalive: true, ...withKey(key) };
  await fetch(`${CALL}/remove`, call).catch(() => undefined);
}

/** Removes the card that this device keeps. Answers whether there was one. */
export async function removeCard(): Promise<boolean> {
  const card = await storedCard();
  if (card) void endKey(card.key);
  await dropCard().catch(() => undefined);
  return card !== null;
}
