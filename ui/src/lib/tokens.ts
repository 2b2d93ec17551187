import { readStored, removeStored, storedKeys, writeStored } from './storage';

const PREFIX = 'layby.token.';
const key = (uuid: string) => `${PREFIX}${uuid}`;

// A copy in memory, for browsers that refuse to store anything; it lasts until the page is left.
const remembered = new Map<string, string>();

export function saveToken(uuid: string, token: string): void {
  remembered.set(uuid, token);
  writeStored(key(uuid), token);
}

export function tokenFor(uuid: string): string | null {
  const stored = readStored<unknown>(key(uuid));
  return typeof stored === 'string' ? stored : (remembered.get(uuid) ?? null);
}

/** The quotes this browser holds a token for. */
export function heldQuotes(): string[] {
  const stored = storedKeys(PREFIX).map((name) => name.slice(PREFIX.length));
  return [...new Set([...stored, ...remembered.keys()])].filter((uuid) => tokenFor(uuid) !== null);
}

const CARRIED = '#token=';

/**
 * The token as the fragment of an address, for a page of ours with a document of its own. Empty where
 * that page finds the token in the browser's storage.
 */
export function carriedToken(uuid: string | undefined): string {
  const token = uuid && readStored<unknown>(key(uuid)) === null ? remembered.get(uuid) : undefined;
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
