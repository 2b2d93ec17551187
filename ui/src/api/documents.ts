import useSWR from 'swr';
import { api } from './client';
import { retryable } from './hooks';
import type { PolicyDocuments } from './life';

const CALM = { revalidateOnFocus: false, shouldRetryOnError: retryable } as const;

/** The documents of a policy as they were at one of its revisions; without one, as they are. */
export function usePolicyDocuments(policy: string, revision: string | null) {
  const query = revision === null ? '' : `?revision=${encodeURIComponent(revision)}`;
  return useSWR(
    `/api/v1/policy/${policy}/documents${query}`,
    (path: string) => api.get<PolicyDocuments>(path, { quote: policy }),
    { ...CALM, keepPreviousData: true },
  );
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
