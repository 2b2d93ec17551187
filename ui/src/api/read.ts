import useSWR, { type SWRConfiguration } from 'swr';
import { ApiError, address, api, type Call } from './client';
import type { Answer, PathOf } from './operations';

/** Checks whether to repeat a failed call: only if the server or the connection failed. */
export function retryable(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 500;
}

/** For data that a visitor may be editing: read again only on demand. */
export const ON_DEMAND = { revalidateOnFocus: false, shouldRetryOnError: retryable } as const;

/** Reads a response. SWR's cache uses its address as the key. If `call` is null, sends nothing. */
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
