import useSWR, { type SWRConfiguration } from 'swr';
import { ApiError, address, api, type Call } from './client';
import type { Answer, PathOf } from './operations';

/** Asking again only helps where the server or the line was at fault. */
export function retryable(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 500;
}

/** For what somebody may be looking at while it changes: it is asked for again only when told to. */
export const CALM = { revalidateOnFocus: false, shouldRetryOnError: retryable } as const;

/** Reads an answer and keeps it under its address; without a call nothing is asked. */
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
