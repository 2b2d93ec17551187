import useSWR, { type SWRConfiguration } from 'swr';
import { ApiError } from '../../api/client';
import { forgetProfiles, useSite } from '../../api/hooks';
import { retryable } from '../../api/read';
import { isExternal, markRedirected, signOnAddress } from '../../lib/session/signOn';

/** Returns the address of the login page, or null if the browser already shows that page. */
export function signOnUrl(signOn: string, location: Location): string | null {
  const currentAddress = `${location.pathname}${location.search}`;
  const address = new URL(signOnAddress(signOn, currentAddress), location.origin);
  const isOnSignOnPage =
    address.origin === location.origin && address.pathname === location.pathname;
  return isOnSignOnPage ? null : address.href;
}

/**
 * The time after a redirect in which no other failed call redirects, in milliseconds. Several calls
 * may fail together.
 */
const LEAVING_MS = 10_000;
let leaving = Number.NEGATIVE_INFINITY;

/**
 * Redirects to the login page. Shows the login card instead if the browser is already on that page.
 * If the page is on another site, also shows the card after a recent redirect or without storage.
 */
function redirectToSignOn(signOn: string): void {
  if (performance.now() - leaving < LEAVING_MS) return;
  const url = signOnUrl(signOn, window.location);
  if (!url || (isExternal(signOn) && !markRedirected())) {
    void forgetProfiles();
    return;
  }
  leaving = performance.now();
  window.location.assign(url);
}

// The browser may restore the page from its cache after a redirect. The page may then redirect
// again.
window.addEventListener('pageshow', () => {
  leaving = Number.NEGATIVE_INFINITY;
});

/**
 * Reads data that needs a login. After a 401 or 403, redirects to the login page, which opens the
 * current page again after the login.
 */
export function useAccountData<T>(
  address: string,
  read: () => Promise<T>,
  config: SWRConfiguration<T> = {},
) {
  const { data: site } = useSite();
  return useSWR<T>(site ? ['account', address] : null, read, {
    shouldRetryOnError: retryable,
    onError: (error: unknown) => {
      const ended = error instanceof ApiError && (error.status === 401 || error.status === 403);
      if (ended && site) redirectToSignOn(site.login_redirect);
    },
    ...config,
  });
}
