import { readStored, writeStored } from '../storage/storage';

const RELOAD_WINDOW_MS = 60_000;
const KEY = 'layby.reloaded';

function mayReload(now: number): boolean {
  const last = readStored<number>(KEY, 'session');
  if (typeof last === 'number' && now - last < RELOAD_WINDOW_MS) return false;
  // If the time of the last reload can't be stored, reloads could be endless.
  return writeStored(KEY, now, 'session');
}

/**
 * Loads a chunk of the website. After a release the old chunks no longer exist, so a failure loads
 * the page again, at `address` if given. Throws the failure if such a reload was less than a minute
 * ago, or can't be recorded. Without this limit the page could reload forever.
 */
export async function loadChunk<T>(load: () => Promise<T>, address?: string): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!mayReload(Date.now())) throw error;
    if (address && address !== window.location.href) window.location.assign(address);
    else window.location.reload();
    // The page is about to reload, so no error is shown.
    return new Promise(() => {});
  }
}

export function reloadPage(): void {
  window.location.reload();
}
