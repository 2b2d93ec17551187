// The browser's storage throws in private windows and on full disks. Every failure counts as
// "nothing stored".

type Kind = 'local' | 'session';

function area(kind: Kind): Storage | null {
  try {
    return kind === 'local' ? window.localStorage : window.sessionStorage;
  } catch {
    return null;
  }
}

export function readStored<T>(key: string, kind: Kind = 'local'): T | null {
  try {
    const text = area(kind)?.getItem(key);
    return text ? (JSON.parse(text) as T) : null;
  } catch {
    return null;
  }
}

/** Stores a value. Returns whether the browser stored it. */
export function writeStored(key: string, value: unknown, kind: Kind = 'local'): boolean {
  try {
    const store = area(kind);
    store?.setItem(key, JSON.stringify(value));
    return store !== null;
  } catch {
    return false;
  }
}

/** Returns the keys that start with `prefix`. */
export function storedKeys(prefix: string, kind: Kind = 'local'): string[] {
  try {
    return Object.keys(area(kind) ?? {}).filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}

export function removeStored(key: string, kind: Kind = 'local'): void {
  try {
    area(kind)?.removeItem(key);
  } catch {
    // If the storage can't be used, it holds nothing to remove.
  }
}
