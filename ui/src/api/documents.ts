import useSWR, { mutate } from 'swr';
import { api } from './client';
import { retryable } from './hooks';
import type { PolicyDocument, PolicyDocuments } from './life';

const CALM = { revalidateOnFocus: false, shouldRetryOnError: retryable } as const;

const documentsKey = (policy: string) => `/api/v1/policy/${policy}/documents`;

/** The documents of a policy as they were at one of its revisions; without one, as they are. */
export function usePolicyDocuments(policy: string, revision: string | null) {
  const query = revision === null ? '' : `?revision=${encodeURIComponent(revision)}`;
  return useSWR(
    `${documentsKey(policy)}${query}`,
    (path: string) => api.get<PolicyDocuments>(path, { quote: policy }),
    { ...CALM, keepPreviousData: true },
  );
}

/** What can be read before a quote is bought. A revision has a statement of its own. */
export function useQuoteDocuments(quote: string, revision: number) {
  const path = `/api/v2/quote/documents/${quote}`;
  return useSWR(
    `${path}?revision=${revision}`,
    () => api.get<PolicyDocument[]>(path, { quote }),
    CALM,
  );
}

/** Where they are not on the screen: they are read anew on the next page that shows them. */
export async function forgetDocuments(policy: string): Promise<void> {
  const own = documentsKey(policy);
  await mutate((key) => typeof key === 'string' && key.startsWith(own), undefined, {
    revalidate: true,
  });
}

/** Which of these can be opened by now. */
export async function checkDocuments(
  identifiers: string[],
  quote: string,
): Promise<Record<string, boolean>> {
  try {
    const docs = { docs: identifiers };
    return await api.post<Record<string, boolean>>('/api/v1/documents/check', docs, { quote });
  } catch (cause) {
    throw new Error('Error updating policy document statuses', { cause });
  }
}

export const documentPath = (identifier: string) =>
  `/api/v1/documents/${encodeURIComponent(identifier)}`;
