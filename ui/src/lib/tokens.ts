import { readStored, removeStored, writeStored } from './storage';

const key = (uuid: string) => `layby.token.${uuid}`;

// Survives where the browser refuses to store, for as long as the page is open.
const remembered = new Map<string, string>();

export function saveToken(uuid: string, token: string): void {
  remembered.set(uuid, token);
  writeStored(key(uuid), token);
}

export function tokenFor(uuid: string): string | null {
  const stored = readStored<unknown>(key(uuid));
  return typeof stored === 'string' ? stored : (remembered.get(uuid) ?? null);
}

export function forgetToken(uuid: string): void {
  remembered.delete(uuid);
  removeStored(key(uuid));
}
