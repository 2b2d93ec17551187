import { isPage } from '../routes/paths';
import { readStored, removeStored, writeStored } from '../storage/storage';
import { safePath } from './signOn';

/** The storage key of the page that a visitor asked for before a password reset. */
const LOGIN_TARGET = 'layby.login-target';

/** How long the page is stored, in milliseconds: as long as the mailed link works. */
export const TARGET_MS = 3_600_000;

interface LoginTarget {
  path: string;
  at: number;
}

/** Returns the page that a login at this address leads to. Returns null for the account's first page. */
function pageAfterLogin({ pathname, search }: Pick<Location, 'pathname' | 'search'>) {
  const state = safePath(new URLSearchParams(search).get('state'));
  if (state) return state;
  if (isPage(pathname, 'dashboard')) return search ? `${pathname}${search}` : null;
  return isPage(pathname, 'policyView', 'quoteEdit') ? `${pathname}${search}` : null;
}

/** Stores the page that a login at this address leads to. The mailed link may open in another tab. */
export function storeLoginTarget(address: Pick<Location, 'pathname' | 'search'>): void {
  const path = pageAfterLogin(address);
  if (path) writeStored(LOGIN_TARGET, { path, at: Date.now() } satisfies LoginTarget);
  else removeLoginTarget();
}

/** Removes the stored page, after a login. */
export function removeLoginTarget(): void {
  removeStored(LOGIN_TARGET);
}

/** Returns the stored page, or null if there is none or its time is over. */
export function readLoginTarget(now = Date.now()): string | null {
  const stored = readStored<Partial<LoginTarget>>(LOGIN_TARGET);
  const isFresh = typeof stored?.at === 'number' && now - stored.at < TARGET_MS;
  return isFresh ? safePath(stored.path) : null;
}
