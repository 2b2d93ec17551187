import useSWR, { mutate } from 'swr';
import { api } from './client';
import { forgetDocuments } from './documents';
import { forgetQuote, policyKey, retryable } from './hooks';
import type {
  Activity,
  Adjustment,
  ChangedProduct,
  NotTakenUp,
  PolicyRead,
  PriceKept,
  Renewal,
} from './life';
import type { PaymentStarted } from './types';

const CALM = { revalidateOnFocus: false, shouldRetryOnError: retryable } as const;

/** Asks again for all that is on the screen of a policy, after anything was done to it. */
export async function refreshPolicy(uuid: string): Promise<void> {
  await mutate((key) => typeof key === 'string' && key.includes(uuid));
}

/**
 * The same where the policy itself is not on the screen: what is old is dropped, or it would be
 * what the next page shows first.
 */
export async function forgetPolicy(uuid: string): Promise<void> {
  await Promise.all([forgetQuote(uuid), forgetDocuments(uuid)]);
  await refreshPolicy(uuid);
}

// --- Changes --------------------------------------------------------------------------------

const changesKey = (uuid: string) => `/api/v1/policy/${uuid}/mta`;

/** Every change of a policy, newest first, with those that were never agreed to. */
export function useAdjustments(
  policy: string | null,
  again: (latest?: Adjustment[]) => number = () => 0,
) {
  return useSWR(policy ? changesKey(policy) : null, (path: string) => api.get<Adjustment[]>(path), {
    ...CALM,
    refreshInterval: again,
  });
}

/** Works out what a change would cost. Nothing changes yet. */
export async function confirmChange(policy: string, product: ChangedProduct): Promise<Adjustment> {
  const found = await api.put<Adjustment>(`${changesKey(policy)}/confirm`, { product });
  // It is shown from the list, where a page that is opened again finds it too.
  await mutate(
    changesKey(policy),
    (known: Adjustment[] = []) => [
      found,
      ...known.filter((each) => each.adjustment_id !== found.adjustment_id),
    ],
    { revalidate: false },
  );
  return found;
}

/** Applies a change that costs nothing more; what comes back is fixed before it is agreed to. */
export async function acceptChange(policy: string, adjustment: Adjustment): Promise<Adjustment> {
  const body = { adjustment_id: adjustment.adjustment_id };
  if (adjustment.kind === 'decrease') await api.put(`${changesKey(policy)}/decrease`, body);
  return api.put<Adjustment>(changesKey(policy), body);
}

/** Opens the payment of a change that costs more. Its settlement applies the change by itself. */
export function startIncrease(policy: string, adjustment: string): Promise<PaymentStarted> {
  return api.put<PaymentStarted>(`${changesKey(policy)}/increase`, { adjustment_id: adjustment });
}

export function keepPrice(policy: string, product: ChangedProduct): Promise<PriceKept> {
  return api.post<PriceKept>(`/api/v1/policy/${policy}/price-keep`, { product });
}

// --- Ending ---------------------------------------------------------------------------------

export function useCancellationReasons() {
  return useSWR(
    '/api/v1/policy/reasons/cancellation',
    (path: string) => api.get<{ id: number; title: string }[]>(path),
    CALM,
  );
}

export interface Cancelling {
  policy_uuid: string;
  reason_id: number;
  /** yyyy-MM-dd */
  effective_date: string;
  note?: string;
}

/** What cancelling would give back. Nothing changes. */
export function previewCancellation(wish: Cancelling): Promise<Activity> {
  return api.post<Activity>('/api/v1/activity/create', {
    type: 'cancellation',
    ...wish,
    preview: true,
  });
}

export function cancelPolicy(wish: Cancelling, key: string): Promise<Activity> {
  return api.post<Activity>(
    '/api/v1/activity/create',
    { type: 'cancellation', ...wish },
    { idempotencyKey: key },
  );
}

/** Pending and past cancellations; asked for again while money is on its way. */
export function useCancellations(policy: string | null, again: (latest?: Activity[]) => number) {
  return useSWR(
    policy ? `/api/v1/activities?policy=${policy}&type=cancellation` : null,
    (path: string) => api.get<Activity[]>(path),
    // A new function each time: SWR asks it anew only when it is another one.
    { ...CALM, refreshInterval: (latest) => again(latest) },
  );
}

export function refuseCover(policy: string, key: string): Promise<NotTakenUp> {
  return api.put<NotTakenUp>(`/api/v1/policy/ntu/${policy}`, undefined, { idempotencyKey: key });
}

// --- Renewing -------------------------------------------------------------------------------

/** Switches renewing by itself on or off, and shows it before anything is read again. */
export async function switchAutoRenew(policy: string, on: boolean): Promise<void> {
  await api.put(`/api/v1/policy/${policy}/auto-renew`, { auto_renew: on });
  await mutate(
    policyKey(policy),
    (read: PolicyRead | undefined) =>
      read?.policy ? { ...read, policy: { ...read.policy, auto_renew: on } } : read,
    { revalidate: false },
  );
  // The day of the charge is the server's to say.
  void refreshPolicy(policy);
  void mutate((key) => typeof key === 'string' && key.startsWith('/api/v1/renewal/'));
}

export function useRenewal(quote: string | null) {
  return useSWR(
    quote ? `/api/v1/renewal/${quote}` : null,
    (path: string) => api.get<Renewal>(path, { quote: quote ?? undefined }),
    CALM,
  );
}
