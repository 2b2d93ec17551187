import { isFresh } from './retention';
import { readStored, removeStored, storedKeys, writeStored } from './storage';

const PREFIX = 'layby.token.';
const key = (uuid: string) => `${PREFIX}${uuid}`;

// A copy in memory, for browsers that refuse to store anything; it lasts until the page is left.
const remembered = new Map<string, string>();

interface StoredToken {
  token: string;
  at: string;
}

export function saveToken(uuid: string, token: string): void {
  remembered.set(uuid, token);
  writeStored(key(uuid), { token, at: new Date().toISOString() } satisfies StoredToken);
}

/** The token in the storage; one that is too old, or not written by us, is removed. */
function storedToken(uuid: string, now: Date): string | null {
  const stored = readStored<Partial<StoredToken>>(key(uuid));
  if (typeof stored?.token === 'string' && isFresh(stored.at, now)) return stored.token;
  removeStored(key(uuid));
  return null;
}

export function tokenFor(uuid: string, now: Date = new Date()): string | null {
  return storedToken(uuid, now) ?? remembered.get(uuid) ?? null;
}

/** The quotes this browser holds a token for. */
export function quotesWithToken(now: Date = new Date()): string[] {
  const stored = storedKeys(PREFIX).map((name) => name.slice(PREFIX.length));
  return [...new Set([...stored, ...remembered.keys()])].filter(
    (uuid) => tokenFor(uuid, now) !== null,
  );
}

const CARRIED = '#token=';

/**
 * The token as the fragment of an address, for a page of ours with a document of its own. Empty where
 * that page finds the token in the browser's storage.
 */
export function carriedToken(uuid: string | undefined): string {
  const token = uuid && storedToken(uuid, new Date()) === null ? remembered.get(uuid) : undefined;
  return token ? `${CARRIED}${token}` : '';
}

/** Takes a carried token out of the address, when a document begins. */
export function takeCarriedToken(): void {
  const { pathname, search, hash } = window.location;
  const uuid = pathname.split('/').filter(Boolean).at(-1);
  if (!uuid || !hash.startsWith(CARRIED)) return;
  remembered.set(uuid, hash.slice(CARRIED.length));
  window.history.replaceState(window.history.state, '', `${pathname}${search}`);
}

export function forgetToken(uuid: string): void {
  remembered.delete(uuid);
  removeStored(key(uuid));
}
