import { readStored, writeStored } from './storage';

export const RELOAD_WINDOW_MS = 60_000;
const KEY = 'layby.reloaded';

function mayReload(now: number): boolean {
  const last = readStored<number>(KEY, 'session');
  if (typeof last === 'number' && now - last < RELOAD_WINDOW_MS) return false;
  // Without a memory of the last one there is no guard against reloading for ever.
  return writeStored(KEY, now, 'session');
}

/**
 * After a release the old page asks for chunks that are gone. One reload gets the new page;
 * a second within a minute would only go round in circles, so then the failure shows.
 */
export async function loadChunk<T>(load: () => Promise<T>, address?: string): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!mayReload(Date.now())) throw error;
    if (address && address !== window.location.href) window.location.assign(address);
    else window.location.reload();
    // The page is on its way out; showing an error for an instant would only frighten.
    return new Promise(() => {});
  }
}

/** Begins the page anew, with everything read again. */
export function reloadPage(): void {
  window.location.reload();
}
