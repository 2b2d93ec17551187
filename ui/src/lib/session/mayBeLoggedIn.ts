import { matchPath } from 'react-router';
import { isPage, PATTERNS } from '../routes/paths';
import { hasStoredPreferences } from '../storage/preferences';
import { readStored, writeStored } from '../storage/storage';
import { tokenFor } from '../storage/tokens';

/** A storage key whose change tells other tabs about a login or logout. */
export const SIGNAL = 'layby.session';

/** Notifies other tabs of a login or logout. The stored value stays. */
export function notifyOtherTabs(): void {
  writeStored(SIGNAL, crypto.randomUUID());
}

/**
 * Checks whether a page needs an account. A quote or policy page needs no account if this browser
 * has the quote's token.
 */
function asksForAccount(pathname: string): boolean {
  if (isPage(pathname, 'dashboard', 'portal', 'confirmEmail')) return true;
  if (!isPage(pathname, 'policyView', 'quoteEdit')) return false;
  const matches = [PATTERNS.policyView, PATTERNS.quoteEdit].map((page) =>
    matchPath(page, pathname),
  );
  return matches.every((match) => !match?.params.id || tokenFor(match.params.id) === null);
}

/**
 * Checks whether the visitor may be logged in. The website can't read the session's cookie, but
 * every login stores values. Some browsers clear these values before the cookie. So the result is
 * also true on a page that needs an account.
 */
export function mayBeLoggedIn(pathname: string): boolean {
  return readStored(SIGNAL) !== null || hasStoredPreferences() || asksForAccount(pathname);
}
