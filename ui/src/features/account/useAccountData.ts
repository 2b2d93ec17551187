import useSWR, { type SWRConfiguration } from 'swr';
import { ApiError, api } from '../../api/client';
import { forgetProfiles, retryable, useSite } from '../../api/hooks';
import { signOnAddress } from '../../lib/signOn';

/** Where the browser goes to log in; null when it is there already. */
export function wayToSignOn(signOn: string, location: Location): string | null {
  const here = `${location.pathname}${location.search}`;
  const address = new URL(signOnAddress(signOn, here), location.origin);
  const already = address.origin === location.origin && address.pathname === location.pathname;
  return already ? null : address.href;
}

/**
 * What only its owner may read: a session that has ended leads to sign-on, and back. `path`
 * carries its query.
 */
export function useAccountData<T>(
  path: string,
  config: SWRConfiguration<T> = {},
  read: (path: string) => Promise<T> = (address) => api.get<T>(address),
) {
  const { data: site } = useSite();
  return useSWR<T>(site ? ['account', path] : null, () => read(path), {
    shouldRetryOnError: retryable,
    onError: (error: unknown) => {
      const ended = error instanceof ApiError && (error.status === 401 || error.status === 403);
      if (!ended || !site) return;
      const address = wayToSignOn(site.sign_on, window.location);
      if (address) window.location.assign(address);
      else forgetProfiles();
    },
    ...config,
  });
}
