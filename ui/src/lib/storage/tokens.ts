import { isFresh } from './retention';
import { readStored, removeStored, storedKeys, writeStored } from './storage';

const PREFIX = 'layby.token.';
const key = (uuid: string) => `${PREFIX}${uuid}`;

// A copy of the tokens in memory, for browsers without storage. The copy ends with the document.
const remembered = new Map<string, string>();

interface StoredToken {
  token: string;
  at: string;
}

export function saveToken(uuid: string, token: string): void {
  remembered.set(uuid, token);
  writeStored(key(uuid), { token, at: new Date().toISOString() } satisfies StoredToken);
}

/** Reads the stored token. Removes an expired or malformed token, and then returns null. */
function storedToken(uuid: string, now: Date): string | null {
  const stored = readStored<Partial<StoredToken>>(key(uuid));
  if (typeof stored?.token === 'string' && isFresh(stored.at, now)) return stored.token;
  removeStored(key(uuid));
  return null;
}

export function tokenFor(uuid: string, now: Date = new Date()): string | null {
  return storedToken(uuid, now) ?? remembered.get(uuid) ?? null;
}

/** Returns the quotes with a token in this browser. */
export function quotesWithToken(now: Date = new Date()): string[] {
  const stored = storedKeys(PREFIX).map((name) => name.slice(PREFIX.length));
  return [...new Set([...stored, ...remembered.keys()])].filter(
    (uuid) => tokenFor(uuid, now) !== null,
  );
}

const CARRIED = '#token=';
/** The fragment of a mailed link to the documents of a policy. */
const DOCUMENTS = '#documents=';

/**
 * Returns the token as the fragment of an address, for a page with its own document. Returns an
 * empty text if the storage holds the token, or if there is no token.
 */
export function carriedToken(uuid: string | undefined): string {
  const token = uuid && storedToken(uuid, new Date()) === null ? remembered.get(uuid) : undefined;
  return token ? `${CARRIED}${token}` : '';
}

/**
 * Moves the token from the fragment of the address into memory, when a document starts. A token of
 * documents replaces no other token, which may read more.
 */
export function takeCarriedToken(): void {
  const { pathname, search, hash } = window.location;
  const uuid = pathname.split('/').filter(Boolean).at(-1);
  const fragment = [CARRIED, DOCUMENTS].find((start) => hash.startsWith(start));
  if (!uuid || !fragment) return;
  if (fragment === CARRIED || tokenFor(uuid) === null) {
    remembered.set(uuid, hash.slice(fragment.length));
  }
  window.history.replaceState(window.history.state, '', `${pathname}${search}`);
}

export function forgetToken(uuid: string): void {
  remembered.delete(uuid);
  removeStored(key(uuid));
}
