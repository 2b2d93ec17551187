import useSWR, { type SWRConfiguration } from 'swr';
import { ApiError } from '../../api/client';
import { forgetProfiles, useSite } from '../../api/hooks';
import { retryable } from '../../api/read';
import { isExternal, markRedirected, signOnAddress } from '../../lib/session/signOn';

/** The address of the login page, or null if the browser is already there. */
export function signOnUrl(signOn: string, location: Location): string | null {
  const currentAddress = `${location.pathname}${location.search}`;
  const address = new URL(signOnAddress(signOn, currentAddress), location.origin);
  const isOnSignOnPage =
    address.origin === location.origin && address.pathname === location.pathname;
  return isOnSignOnPage ? null : address.href;
}

/** How long the calls that fail together wait for the one that leads away. */
const LEAVING_MS = 10_000;
let leaving = Number.NEGATIVE_INFINITY;

/** Leads to the login page; where that can't be, the login card takes the place of the account. */
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

// A page that the browser has kept comes back as it was left.
window.addEventListener('pageshow', () => {
  leaving = Number.NEGATIVE_INFINITY;
});

/**
 * Reads data that needs a login, cached by its address. If the session has ended, the browser goes
 * to the login page and comes back after it.
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
      if (ended && site) redirectToSignOn(site.sign_on);
    },
    ...config,
  });
}
