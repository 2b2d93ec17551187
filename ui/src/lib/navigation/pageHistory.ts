import {
  createPath,
  type Location,
  type NavigateOptions,
  NavigationType,
  type Navigator,
  parsePath,
  type To,
} from 'react-router';
import { dismissQuestion } from '../messages/confirm';

// The shown page, and the navigation to the next page. The router's own version also has forms,
// fetchers and a part for the server. These are two thirds of the router's code, and this website
// does not use them.

/** The result of opening an address. */
export type PageResult<Page> =
  | { page: Page }
  /** The address is wrong, or its page can't be loaded. */
  | { failure: unknown }
  /** The browser loads another document, at this address. */
  | { redirect: string };

/** The shown page. */
export interface PageView<Page> {
  location: Location;
  action: NavigationType;
  opened: Exclude<PageResult<Page>, { redirect: string }>;
  /** Whether the page keeps its scroll position. */
  keepsScroll: boolean;
}

export interface NavigationState<Page> {
  /** Null until the first page is loaded. */
  view: PageView<Page> | null;
  /** Whether a page is being loaded. */
  loading: boolean;
}

interface Entry {
  usr?: unknown;
  key?: string;
  idx?: number;
}

const entry = () => (window.history.state ?? {}) as Entry;

function nameKey(): string {
  return Math.random().toString(36).slice(2, 10);
}

/**
 * Returns the present entry of the history. Gives a key to an entry without one, such as a typed
 * address.
 */
function currentLocation(): Location {
  const { pathname, search, hash } = window.location;
  const state = entry();
  const { usr = null, key = nameKey(), idx = 0 } = state;
  if (key !== state.key || idx !== state.idx) {
    window.history.replaceState({ ...state, key, idx }, '');
  }
  return { pathname, search, hash, state: usr, key };
}

/**
 * Creates the history of pages. Calls `open` for the first address, for another path, and for the
 * visit after a failed page. Shows the result once it is loaded.
 */
export function createPageHistory<Page>(open: (location: Location) => Promise<PageResult<Page>>) {
  let state: NavigationState<Page> = { view: null, loading: true };
  let visitNumber = 0;
  /** Resolves when the newest visit has ended. */
  let latest: Promise<void> = Promise.resolve();
  const listeners = new Set<() => void>();
  const leaveListeners = new Set<(from: Location) => void>();

  const set = (next: NavigationState<Page>) => {
    state = next;
    for (const watcher of listeners) watcher();
  };

  const locate = (to: To, usr: unknown): Location => {
    const { pathname, search = '', hash = '' } = typeof to === 'string' ? parsePath(to) : to;
    const shownPath = state.view?.location.pathname ?? window.location.pathname;
    return { pathname: pathname || shownPath, search, hash, state: usr ?? null, key: nameKey() };
  };

  const remember = (location: Location, action: NavigationType) => {
    const { idx = 0 } = entry();
    const url = createPath(location);
    const historyState = { usr: location.state, key: location.key };
    if (action === NavigationType.Replace) {
      window.history.replaceState({ ...historyState, idx }, '', url);
      return;
    }
    try {
      window.history.pushState({ ...historyState, idx: idx + 1 }, '', url);
    } catch (error) {
      // A browser limits how many entries a page adds in a short time. Beyond the limit, the
      // address is loaded as a new document.
      if (error instanceof DOMException && error.name === 'DataCloneError') throw error;
      window.location.assign(url);
    }
  };

  const load = async (location: Location, action: NavigationType, keepsScroll: boolean) => {
    // A question of this page must not be answered on the next page.
    dismissQuestion();
    visitNumber += 1;
    const number = visitNumber;
    const { view } = state;
    let opened: PageResult<Page>;
    if (view && 'page' in view.opened && view.location.pathname === location.pathname) {
      opened = view.opened;
    } else {
      set({ view, loading: true });
      opened = await open(location).catch((failure: unknown) => ({ failure }));
      // A newer visit has started meanwhile.
      if (number !== visitNumber) return latest;
    }
    if ('redirect' in opened) {
      // This page stays until the browser has loaded the other document.
      if (action === NavigationType.Replace) window.location.replace(opened.redirect);
      else window.location.assign(opened.redirect);
      return;
    }
    // A question may also have opened during the load.
    dismissQuestion();
    if (view) for (const leave of leaveListeners) leave(view.location);
    if (action !== NavigationType.Pop) remember(location, action);
    set({ view: { location, action, opened, keepsScroll }, loading: false });
  };

  const go = (location: Location, action: NavigationType, keepsScroll = false) => {
    latest = load(location, action, keepsScroll);
    return latest;
  };

  const visit = (to: To, options: NavigateOptions = {}) => {
    const action = options.replace ? NavigationType.Replace : NavigationType.Push;
    return go(locate(to, options.state), action, options.preventScrollReset);
  };

  const navigator: Navigator = {
    createHref: (to) => (typeof to === 'string' ? to : createPath(to)),
    go: (steps) => window.history.go(steps),
    push: (to, usr, options) => void visit(to, { ...options, state: usr, replace: false }),
    replace: (to, usr, options) => void visit(to, { ...options, state: usr, replace: true }),
  };

  window.addEventListener('popstate', () => void go(currentLocation(), NavigationType.Pop));
  const firstLoad = go(currentLocation(), NavigationType.Pop);

  return {
    navigator,
    /** Resolves when the first page has loaded or failed. */
    firstLoad,
    get state() {
      return state;
    },
    /** Goes to an address. Resolves when that address, or a later one, is shown. */
    visit: (to: To, options?: NavigateOptions) => visit(to, options),
    watch(watcher: () => void) {
      listeners.add(watcher);
      return () => {
        listeners.delete(watcher);
      };
    },
    /**
     * Adds a listener that runs before a page is left. Returns the function that removes the
     * listener.
     */
    onLeave(leave: (from: Location) => void) {
      leaveListeners.add(leave);
      return () => {
        leaveListeners.delete(leave);
      };
    },
  };
}

export type PageHistory<Page> = ReturnType<typeof createPageHistory<Page>>;
