import useSWR, { mutate } from 'swr';
import { address, api, isAddressOf } from './client';
import { CALM, useRead } from './read';

const OF_POLICY = '/api/v1/policy/{id}/documents';
const OF_QUOTE = '/api/v2/quote/documents/{id}';

/** The documents of a policy as they were at one of its revisions; without one, as they are. */
export function usePolicyDocuments(policy: string, revision: string | null) {
  const query = revision === null ? {} : { revision: Number(revision) };
  const call = { path: { id: policy }, query, quote: policy };
  return useRead(OF_POLICY, call, { ...CALM, keepPreviousData: true });
}

/** What can be read before a quote is bought. A revision has a statement of its own. */
export function useQuoteDocuments(quote: string, revision: number) {
  const call = { path: { id: quote }, quote };
  return useSWR(
    `${address(OF_QUOTE, call)}?revision=${revision}`,
    () => api.get(OF_QUOTE, call),
    CALM,
  );
}

/** Where they are not on the screen: they are read anew on the next page that shows them. */
export async function forgetDocuments(policy: string): Promise<void> {
  const own = { path: { id: policy } };
  await mutate((key) => isAddressOf(OF_POLICY, key, own), undefined, { revalidate: true });
}

/** Which of these can be opened by now. */
export async function checkDocuments(
  identifiers: string[],
  quote: string,
): Promise<Record<string, boolean>> {
  try {
    return await api.post('/api/v1/documents/check', { body: { docs: identifiers }, quote });
  } catch (cause) {
    throw new Error('Error updating policy document statuses', { cause });
  }
}

export const documentPath = (identifier: string) =>
  address('/api/v1/documents/{identifier}', { path: { identifier } });

/** A document as a file: a visitor without an account reads it with the token of the quote. */
export const fetchDocument = (identifier: string, quote: string) =>
  api.file('/api/v1/documents/{identifier}', { path: { identifier }, quote });
