import useSWR, { type SWRConfiguration } from 'swr';
import { ApiError, address, api, type Call } from './client';
import type { Answer, PathOf } from './operations';

/**
 * Checks whether to repeat a failed read. The website repeats a read after a failure of the server
 * or the connection. It also repeats a read after an error that is no `ApiError`.
 */
export function retryable(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 500;
}

/**
 * The options for data that a visitor may be editing. SWR does not read such data again when the
 * window gets the focus.
 */
export const ON_DEMAND = { revalidateOnFocus: false, shouldRetryOnError: retryable } as const;

/**
 * Reads a response. SWR's cache uses the call's address as the key. If `call` is null, sends
 * nothing.
 */
export function useRead<P extends PathOf<'get'>>(
  path: P,
  call: Call<'get', P> | null,
  config: SWRConfiguration<Answer<'get', P>> = {},
) {
  return useSWR<Answer<'get', P>>(
    call && address(path, call),
    () => api.get(path, call as Call<'get', P>),
    config,
  );
}
