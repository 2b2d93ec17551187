import useSWR, { mutate } from 'swr';
import { address, api, isAddressOf } from '../client';
import { ON_DEMAND, useRead } from '../read';

const OF_POLICY = '/api/v1/policy/{id}/documents';
const OF_QUOTE = '/api/v2/quote/documents/{id}';

/**
 * Reads the documents of a revision of a policy. If `revision` is null, reads the documents of the
 * revision in force.
 */
export function usePolicyDocuments(policy: string, revision: string | null) {
  const query = revision === null ? {} : { revision: Number(revision) };
  const call = { path: { id: policy }, query, quote: policy };
  return useRead(OF_POLICY, call, { ...ON_DEMAND, keepPreviousData: true });
}

/**
 * Reads the documents of a quote before the purchase. Each revision has its own statement of
 * demands and needs, so the cache key contains the revision.
 */
export function useQuoteDocuments(quote: string, revision: number) {
  const call = { path: { id: quote }, quote };
  return useSWR(
    `${address(OF_QUOTE, call)}?revision=${revision}`,
    () => api.get(OF_QUOTE, call),
    ON_DEMAND,
  );
}

/** Drops the cached documents of a policy. Reads the documents on the screen again. */
export async function forgetDocuments(policy: string): Promise<void> {
  const own = { path: { id: policy } };
  await mutate((key) => isAddressOf(OF_POLICY, key, own), undefined, { revalidate: true });
}

/** Returns for each document whether it can be opened. Throws if the call fails. */
export async function checkDocuments(
  identifiers: string[],
  quote: string,
): Promise<Record<string, boolean>> {
  try {
    return await api.post('/api/v1/documents/check', {
      body: { docs: identifiers },
      quote,
      login: 'never',
    });
  } catch (cause) {
    throw new Error('Error updating policy document statuses', { cause });
  }
}

export const documentPath = (identifier: string) =>
  address('/api/v1/documents/{identifier}', { path: { identifier } });

/**
 * Reads a document as a file. A visitor who is not logged in needs the token of the quote, except
 * for a product's document.
 */
export const fetchDocument = (identifier: string, quote: string) =>
  api.file('/api/v1/documents/{identifier}', { path: { identifier }, quote });
