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

export function forgetToken(uuid: string): void {
  remembered.delete(uuid);
  removeStored(key(uuid));
}
