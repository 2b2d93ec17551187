import { readStored, writeStored } from '../storage/storage';

const RELOAD_WINDOW_MS = 60_000;
const KEY = 'layby.reloaded';

function mayReload(now: number): boolean {
  const last = readStored<number>(KEY, 'session');
  if (typeof last === 'number' && now - last < RELOAD_WINDOW_MS) return false;
  // If the time of the last reload can't be stored, nothing would stop endless reloads.
  return writeStored(KEY, now, 'session');
}

/**
 * Loads a chunk of the website. After a release an old page asks for chunks that no longer exist,
 * so a failure reloads the page. A second failure within a minute is thrown instead, or the page
 * would reload without end.
 */
export async function loadChunk<T>(load: () => Promise<T>, address?: string): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!mayReload(Date.now())) throw error;
    if (address && address !== window.location.href) window.location.assign(address);
    else window.location.reload();
    // The page is about to reload, so no error is shown for that moment.
    return new Promise(() => {});
  }
}

/** Reloads the page; everything is read again. */
export function reloadPage(): void {
  window.location.reload();
}
