import type { components } from './schema.gen';

// The rescue card on its device: the card, its key and its documents in one cache of the browser, which
// the card's worker reads too. The page itself is in a second cache, which the worker fills.

export type Card = components['schemas']['Card'];
export type CardPolicy = components['schemas']['CardPolicy'];

/** What a device keeps. */
export interface Kept {
  /** Reads this card again, and nothing else. */
  key: string;
  card: Card;
}

export const CARD_PAGE = '/rescue-card';
export const CARD_WORKER = '/rescue-card/worker.js';
const KEPT = 'layby-rescue-card';
const FILES = 'layby-rescue-card-page';
const CARD = '/rescue-card/card.json';
const CALL = '/api/v1/rescue-card';

/** Where a kept document is opened. */
export const keptDocument = (identifier: string) =>
  `/rescue-card/documents/${encodeURIComponent(identifier)}.pdf`;

/** Whether this browser can keep a card. */
export function canKeepCard(): boolean {
  return 'caches' in globalThis && 'serviceWorker' in navigator && 'locks' in navigator;
}

/** Does one thing with what is kept at a time, in all tabs, so that what is removed isn't put back. */
const alone = <T>(work: () => Promise<T>): Promise<T> =>
  navigator.locks.request(KEPT, work).then((done) => done);

/** The cache of the card that is kept; opened where none is kept, it would be made. */
async function cacheOfCard(): Promise<Cache | null> {
  return (await caches.has(KEPT)) ? caches.open(KEPT) : null;
}

async function cardIn(cache: Cache | null): Promise<Kept | null> {
  const found = await cache?.match(CARD);
  return found ? ((await found.json()) as Kept) : null;
}

/** The card that this device keeps. */
export async function keptCard(): Promise<Kept | null> {
  try {
    return canKeepCard() ? await alone(async () => cardIn(await cacheOfCard())) : null;
  } catch {
    return null;
  }
}

/** Keeps a card in place of the one that is kept. */
export function keepCard(kept: Kept): Promise<void> {
  return alone(async () => {
    const cache = await caches.open(KEPT);
    await cache.put(CARD, Response.json(kept));
  });
}

/** Keeps a card as it stands now. Answers false, and keeps nothing, where it was removed or replaced. */
export function keepAgain(kept: Kept): Promise<boolean> {
  return alone(async () => {
    const cache = await cacheOfCard();
    if (!cache || (await cardIn(cache))?.key !== kept.key) return false;
    await cache.put(CARD, Response.json(kept));
    return true;
  });
}

const withKey = (key: string) => ({ headers: { 'X-Card-Key': key }, cache: 'no-store' }) as const;

/** How the card stands now; null where its key is no longer valid. Throws without an answer. */
export async function readCard(key: string, signal?: AbortSignal): Promise<Card | null> {
  const answer = await fetch(CALL, { ...withKey(key), signal });
  if (answer.status === 401) return null;
  if (!answer.ok) throw new Error(`The card could not be read: ${answer.status}`);
  return ((await answer.json()) as { data: Card }).data;
}

/** Which documents of a card this device keeps. */
export async function keptDocuments(card: Card): Promise<Set<string>> {
  const keys = await alone(async () => (await cacheOfCard())?.keys());
  const paths = new Set(keys?.map(({ url }) => new URL(url).pathname));
  const all = card.policies.flatMap(({ documents }) => documents);
  const kept = all.filter(({ identifier }) => paths.has(keptDocument(identifier)));
  return new Set(kept.map(({ identifier }) => identifier));
}

/**
 * Keeps the card's documents that aren't kept yet, as far as they are made, and drops those that aren't
 * its own any more.
 */
export async function keepDocuments({ key, card }: Kept): Promise<void> {
  const kept = await keptDocuments(card);
  const wanted = card.policies.flatMap(({ documents }) => documents);
  for (const { identifier, is_ready } of wanted) {
    if (kept.has(identifier) || !is_ready) continue;
    const path = `${CALL}/documents/${encodeURIComponent(identifier)}`;
    const answer = await fetch(path, withKey(key));
    if (!answer.ok) continue;
    const headers = { 'Content-Type': 'application/pdf', 'Content-Disposition': 'inline' };
    const pages = new Response(await answer.blob(), { headers });
    await alone(async () => {
      const cache = await cacheOfCard();
      if ((await cardIn(cache))?.key === key) await cache?.put(keptDocument(identifier), pages);
    });
  }
  const paths = new Set([CARD, ...wanted.map(({ identifier }) => keptDocument(identifier))]);
  await alone(async () => {
    const cache = await cacheOfCard();
    if (!cache || (await cardIn(cache))?.key !== key) return;
    for (const { url } of await cache.keys()) {
      const { pathname } = new URL(url);
      if (!paths.has(pathname)) await cache.delete(pathname);
    }
  });
}

/** Leaves nothing of a card on this device: no worker, no page, no card. */
export async function dropCard(): Promise<void> {
  if (!canKeepCard()) return;
  const registered = await navigator.serviceWorker.getRegistrations();
  const own = registered.filter(({ scope }) => new URL(scope).pathname === CARD_PAGE);
  await Promise.all(own.map((registration) => registration.unregister()));
  await alone(async () => {
    await caches.delete(KEPT);
    await caches.delete(FILES);
  });
}

/** Ends the key of a card; without a network it ends with its policy. */
export async function endKey(key: string): Promise<void> {
  const call = { method: 'POST', keepalive: true, ...withKey(key) };
  await fetch(`${CALL}/remove`, call).catch(() => undefined);
}

/** Removes the card that this device keeps. Answers whether there was one. */
export async function removeCard(): Promise<boolean> {
  const kept = await keptCard();
  if (kept) void endKey(kept.key);
  await dropCard().catch(() => undefined);
  return kept !== null;
}
