import useSWR, { type SWRConfiguration } from 'swr';
import { ApiError } from '../../api/client';
import { forgetProfiles, useSite } from '../../api/hooks';
import { retryable } from '../../api/read';
import { signOnAddress } from '../../lib/signOn';

/** Where the browser goes to log in; null when it is there already. */
export function wayToSignOn(signOn: string, location: Location): string | null {
  const here = `${location.pathname}${location.search}`;
  const address = new URL(signOnAddress(signOn, here), location.origin);
  const already = address.origin === location.origin && address.pathname === location.pathname;
  return already ? null : address.href;
}

/**
 * What only its owner may read, kept under its address: a session that has ended leads to sign-on,
 * and back.
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
