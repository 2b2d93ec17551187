import { matchPath } from 'react-router';
import { isPage, PATTERNS } from '../routes/paths';
import { canStorePreferences } from '../storage/preferences';
import { readStored, writeStored } from '../storage/storage';
import { tokenFor } from '../storage/tokens';

/**
 * The key in the browser's storage whose change tells other tabs that another person is logged in.
 */
export const SIGNAL = 'layby.session';

/** Tells other tabs that somebody has logged in or out; a trace of it stays. */
export function notifyOtherTabs(): void {
  writeStored(SIGNAL, crypto.randomUUID());
}

/** Whether this page is for people with an account, unless it is opened with a quote's token. */
function asksForAccount(pathname: string): boolean {
  if (isPage(pathname, 'dashboard', 'portal', 'confirmEmail')) return true;
  if (!isPage(pathname, 'policyView', 'quoteEdit')) return false;
  const matches = [PATTERNS.policyView, PATTERNS.quoteEdit].map((page) =>
    matchPath(page, pathname),
  );
  return matches.every((match) => !match?.params.id || tokenFor(match.params.id) === null);
}

/**
 * Whether the visitor may be logged in. The session's cookie can't be read by the website, and no
 * other call tells: but every login leaves a trace in the storage. Without one, the profile is only
 * asked for on pages for people with an account, as some browsers empty the storage of a website
 * earlier than its cookies.
 */
export function mayBeLoggedIn(pathname: string): boolean {
  return readStored(SIGNAL) !== null || canStorePreferences() || asksForAccount(pathname);
}
