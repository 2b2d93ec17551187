import { matchPath } from 'react-router';

export const PREFETCH_TIMEOUT_MS = 2000;

interface Loadable {
  path: string;
  load: () => Promise<unknown>;
}

let registered: Loadable[] = [];
const started = new Set<string>();

/** Stores the loader of each page's chunk. The router calls this function once. */
export function registerRoutes(routes: Loadable[]): void {
  registered = routes;
  started.clear();
}

function savesData(): boolean {
  const connection = (navigator as { connection?: { saveData?: boolean } }).connection;
  return connection?.saveData === true;
}

function whenIdle(work: () => void): () => void {
  if (typeof window.requestIdleCallback === 'function') {
    const id = window.requestIdleCallback(work, { timeout: PREFETCH_TIMEOUT_MS });
    return () => window.cancelIdleCallback(id);
  }
  const id = window.setTimeout(work, PREFETCH_TIMEOUT_MS);
  return () => window.clearTimeout(id);
}

/**
 * Fetches the chunk of the page at `pathname` when the browser is idle. Does nothing for an unknown
 * path, a chunk that was fetched before, or a visitor who saves data. Returns the function that
 * cancels the fetch.
 */
export function prefetchOnIdle(pathname: string): () => void {
  const route = registered.find((candidate) => matchPath(candidate.path, pathname));
  if (!route || started.has(route.path) || savesData()) return () => {};
  return whenIdle(() => {
    started.add(route.path);
    // Ignores the error, because a click on the link loads the chunk again.
    route.load().catch(() => started.delete(route.path));
  });
}
