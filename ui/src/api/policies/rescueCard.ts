import type { components } from '../schema.gen';

// The rescue card on the device. One cache of the browser holds the card, its key and its
// documents. The card's service worker reads the same cache, and stores the page in a second cache.

export type Card = components['schemas']['Card'];
export type CardPolicy = components['schemas']['CardPolicy'];

/** The card on this device. */
export interface StoredCard {
  /** The key gives access to this card and its documents, and to nothing else. */
  key: string;
  card: Card;
}

export const CARD_PAGE = '/rescue-card';
export const CARD_WORKER = '/rescue-card/worker.js';
/** The worker of every page. Without a network it opens the card, or shows the number to call. */
export const SITE_WORKER = '/worker.js';
const CARD_CACHE = 'layby-rescue-card';
const PAGE_CACHE = 'layby-rescue-card-page';
const OFFLINE_CACHE = 'layby-offline';
const CARD = '/rescue-card/card.json';
const CALL = '/api/v1/rescue-card';

/** Returns the address of a stored document. */
export const storedDocumentPath = (identifier: string) =>
  `/rescue-card/documents/${encodeURIComponent(identifier)}.pdf`;

/** Checks whether this browser can store a card. */
export function canStoreCard(): boolean {
  return 'caches' in globalThis && 'serviceWorker' in navigator && 'locks' in navigator;
}

/**
 * Runs one access to the stored card at a time, in all tabs. Without the lock one tab could restore
 * a card that another tab has removed.
 */
const withLock = <T>(work: () => Promise<T>): Promise<T> =>
  navigator.locks.request(CARD_CACHE, work).then((result) => result);

/** Opens the cache only if it exists, because opening would create it. */
async function cacheOfCard(): Promise<Cache | null> {
  return (await caches.has(CARD_CACHE)) ? caches.open(CARD_CACHE) : null;
}

async function readCard(cache: Cache | null): Promise<StoredCard | null> {
  const response = await cache?.match(CARD);
  return response ? ((await response.json()) as StoredCard) : null;
}

export async function storedCard(): Promise<StoredCard | null> {
  try {
    return canStoreCard() ? await withLock(async () => readCard(await cacheOfCard())) : null;
  } catch {
    return null;
  }
}

/** Stores a card. Replaces the card that was stored before. */
export function storeCard(card: StoredCard): Promise<void> {
  return withLock(async () => {
    const cache = await caches.open(CARD_CACHE);
    await cache.put(CARD, Response.json(card));
  });
}

/**
 * Updates the stored card. Returns false and stores nothing if the card was removed or replaced.
 */
export function updateCard(card: StoredCard): Promise<boolean> {
  return withLock(async () => {
    const cache = await cacheOfCard();
    if (!cache || (await readCard(cache))?.key !== card.key) return false;
    await cache.put(CARD, Response.json(card));
    return true;
  });
}

const withKey = (key: string) => ({ headers: { 'X-Card-Key': key }, cache: 'no-store' }) as const;

/**
 * Reads the card from the server. Returns null if the key is not valid (401). Throws if the server
 * does not respond or reports any other error.
 */
export async function fetchCard(key: string, signal?: AbortSignal): Promise<Card | null> {
  const answer = await fetch(CALL, { ...withKey(key), signal });
  if (answer.status === 401) return null;
  if (!answer.ok) throw new Error(`The card could not be read: ${answer.status}`);
  return ((await answer.json()) as { data: Card }).data;
}

/** Returns the identifiers of the card's documents that this device stores. */
export async function storedDocuments(card: Card): Promise<Set<string>> {
  const keys = await withLock(async () => (await cacheOfCard())?.keys());
  const paths = new Set(keys?.map(({ url }) => new URL(url).pathname));
  const all = card.policies.flatMap(({ documents }) => documents);
  const current = all.filter(({ identifier }) => paths.has(storedDocumentPath(identifier)));
  return new Set(current.map(({ identifier }) => identifier));
}

/**
 * Stores the card's documents that are ready and not stored yet. Removes stored documents that the
 * card does not name. Changes nothing if the stored card has another key.
 */
export async function storeDocuments(
  { key, card }: StoredCard,
  signal?: AbortSignal,
): Promise<void> {
  const storedIds = await storedDocuments(card);
  const documents = card.policies.flatMap(({ documents }) => documents);
  for (const { identifier, is_ready } of documents) {
    if (storedIds.has(identifier) || !is_ready) continue;
    const path = `${CALL}/documents/${encodeURIComponent(identifier)}`;
    const answer = await fetch(path, { ...withKey(key), signal });
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

/** Removes the card, its page and our workers from this device. */
export async function dropCard(): Promise<void> {
  if (!canStoreCard()) return;
  const registered = await navigator.serviceWorker.getRegistrations();
  const own = registered.filter(({ scope }) => ['/', CARD_PAGE].includes(new URL(scope).pathname));
  await Promise.all(own.map((registration) => registration.unregister()));
  await withLock(async () => {
    await caches.delete(CARD_CACHE);
    await caches.delete(PAGE_CACHE);
    await caches.delete(OFFLINE_CACHE);
  });
}

/**
 * Revokes the key of a card. If the call fails, the key stays valid. A key is valid at most until
 * 31 days after the last day of the policy and its renewals.
 */
export async function endKey(key: string): Promise<void> {
  const call = { method: 'POST', keepalive: true, ...withKey(key) };
  await fetch(`${CALL}/remove`, call).catch(() => undefined);
}

/** Removes the stored card and revokes its key. Returns whether there was a card. */
export async function removeCard(): Promise<boolean> {
  const card = await storedCard();
  if (card) void endKey(card.key);
  await dropCard().catch(() => undefined);
  return card !== null;
}
