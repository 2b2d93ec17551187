import useSWR, { type SWRConfiguration } from 'swr';
import { ApiError } from '../../api/client';
import { forgetProfiles, useSite } from '../../api/hooks';
import { retryable } from '../../api/read';
import { signOnAddress } from '../../lib/signOn';

/** The address of the login page, or null if the browser is already there. */
export function wayToSignOn(signOn: string, location: Location): string | null {
  const here = `${location.pathname}${location.search}`;
  const address = new URL(signOnAddress(signOn, here), location.origin);
  const already = address.origin === location.origin && address.pathname === location.pathname;
  return already ? null : address.href;
}

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
      if (!ended || !site) return;
      const signOn = wayToSignOn(site.sign_on, window.location);
      if (signOn) window.location.assign(signOn);
      else forgetProfiles();
    },
    ...config,
  });
}
