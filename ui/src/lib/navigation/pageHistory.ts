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

// Which page is shown, and the way to the next one. The router's own way of doing this brings along
// forms, fetchers and a server's half, which are two thirds of its code and not used here.

/** What an address leads to. */
export type PageResult<Page> =
  | { page: Page }
  /** A mistake in the address, or a page that can't be loaded. */
  | { failure: unknown }
  /** The browser loads another document, at this address. */
  | { redirect: string };

/** What is shown. */
export interface View<Page> {
  location: Location;
  action: NavigationType;
  opened: Exclude<PageResult<Page>, { redirect: string }>;
  /** Whether the page stays where it is scrolled to. */
  keepsScroll: boolean;
}

export interface State<Page> {
  /** None until the first page is loaded. */
  view: View<Page> | null;
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

/** The history's present entry. One that was typed, or begun by a link to a part of the page, gets a key. */
function currentLocation(): Location {
  const { pathname, search, hash } = window.location;
  const state = entry();
  const { usr = null, key = nameKey(), idx = 0 } = state;
  if (key !== state.key || idx !== state.idx) {
    window.history.replaceState({ ...state, key, idx }, '');
  }
  return { pathname, search, hash, state: usr, key };
}

/** Shows what `open` finds at the addresses that the visitor goes to, once it is loaded. */
export function createPageHistory<Page>(open: (location: Location) => Promise<PageResult<Page>>) {
  let state: State<Page> = { view: null, loading: true };
  let visitNumber = 0;
  /** Ends when the newest visit does. */
  let latest: Promise<void> = Promise.resolve();
  const listeners = new Set<() => void>();
  const leaveListeners = new Set<(from: Location) => void>();

  const set = (next: State<Page>) => {
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
      // A browser takes only so many entries in a minute, and then loads the page instead.
      if (error instanceof DOMException && error.name === 'DataCloneError') throw error;
      window.location.assign(url);
    }
  };

  const load = async (location: Location, action: NavigationType, keepsScroll: boolean) => {
    // A question of this page must not be answered from the next one.
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
      // The visitor has gone elsewhere meanwhile.
      if (number !== visitNumber) return latest;
    }
    if ('redirect' in opened) {
      // This page stays until the browser has the other document.
      if (action === NavigationType.Replace) window.location.replace(opened.redirect);
      else window.location.assign(opened.redirect);
      return;
    }
    // Nor one that was asked while the next page was loading.
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
    /** The first page. */
    firstLoad,
    get state() {
      return state;
    },
    /** Goes to an address; ends when it is shown, or a later one. */
    visit: (to: To, options?: NavigateOptions) => visit(to, options),
    watch(watcher: () => void) {
      listeners.add(watcher);
      return () => {
        listeners.delete(watcher);
      };
    },
    /** Calls this while a page is still shown that is about to be left. */
    onLeave(leave: (from: Location) => void) {
      leaveListeners.add(leave);
      return () => {
        leaveListeners.delete(leave);
      };
    },
  };
}

export type PageHistory<Page> = ReturnType<typeof createPageHistory<Page>>;
