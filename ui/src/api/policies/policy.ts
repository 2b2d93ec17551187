import { mutate } from 'swr';
import { address, api, isAddressOf } from '../client';
import { forgetQuote, policyKey } from '../hooks';
import { lookupsField } from '../lookups';
import { ON_DEMAND, useRead } from '../read';
import type { PaymentStarted, SavedLookUp } from '../types';
import { forgetDocuments } from './documents';
import type {
  Activity,
  Adjustment,
  ChangedProduct,
  NotTakenUp,
  PolicyRead,
  PriceKept,
} from './policyTypes';

/**
 * Repeats the reads for the data on the screen about a policy. These are the reads whose address
 * contains the policy's uuid.
 */
export async function refreshPolicy(uuid: string): Promise<void> {
  await mutate((key) => typeof key === 'string' && key.includes(uuid));
}

/**
 * Drops the cached quote, policy and documents of a policy, so that the next page shows no old
 * data.
 */
export async function forgetPolicy(uuid: string): Promise<void> {
  await Promise.all([forgetQuote(uuid), forgetDocuments(uuid)]);
  await refreshPolicy(uuid);
}

// --- Changes --------------------------------------------------------------------------------

const changesKey = (policy: string) => address('/api/v1/policy/{id}/mta', { path: { id: policy } });

/** The number of changes on a page, as the server's default. */
export const CHANGES_A_PAGE = 50;

/** Reads a further page of a policy's changes, newest first. */
export function readEarlierChanges(policy: string, page: number): Promise<Adjustment[]> {
  return api.get('/api/v1/policy/{id}/mta', {
    path: { id: policy },
    query: { page, limit: CHANGES_A_PAGE },
  });
}

/**
 * Reads the first page of a policy's changes, newest first, including changes that were never
 * accepted.
 */
export function useAdjustments(
  policy: string | null,
  refreshInterval: (latest?: Adjustment[]) => number = () => 0,
) {
  const call = policy ? { path: { id: policy } } : null;
  return useRead('/api/v1/policy/{id}/mta', call, {
    ...ON_DEMAND,
    // After an interval of 0, SWR calls `refreshInterval` again only if the function is new. So
    // each render makes a new function.
    refreshInterval: (latest) => refreshInterval(latest),
  });
}

/**
 * Prices a change from a day on (`yyyy-MM-dd`), or from the first possible day. The policy does not
 * change yet.
 */
export async function confirmChange(
  policy: string,
  product: ChangedProduct,
  day: string | null = null,
  lookups: SavedLookUp[] = [],
): Promise<Adjustment> {
  const adjustment = await api.put('/api/v1/policy/{id}/mta/confirm', {
    path: { id: policy },
    body: { product, ...(day ? { effective_date: day } : {}), ...lookupsField(lookups) },
  });
  // The page shows the cached list, so the new change is added there.
  await mutate(
    changesKey(policy),
    (cached: Adjustment[] = []) => [
      adjustment,
      ...cached.filter((each) => each.adjustment_id !== adjustment.adjustment_id),
    ],
    { revalidate: false },
  );
  return adjustment;
}

/**
 * Accepts a change that needs no payment. For a decrease, first reads the refund. The server
 * refuses that read (409) if the change is no longer pending.
 */
export async function acceptChange(policy: string, adjustment: Adjustment): Promise<Adjustment> {
  const call = { path: { id: policy }, body: { adjustment_id: adjustment.adjustment_id } };
  if (adjustment.kind === 'decrease') await api.put('/api/v1/policy/{id}/mta/decrease', call);
  return api.put('/api/v1/policy/{id}/mta', call);
}

/** Starts the payment of a change. A successful payment accepts the change. */
export function startIncrease(policy: string, adjustment: string): Promise<PaymentStarted> {
  return api.put('/api/v1/policy/{id}/mta/increase', {
    path: { id: policy },
    body: { adjustment_id: adjustment },
  });
}

/** Withdraws a change that was agreed for a later day. Its payment is refunded. */
export function withdrawChange(adjustment: string): Promise<NotTakenUp> {
  return api.put('/api/v1/policy/ntu/{id}', { path: { id: adjustment } });
}

export function keepPrice(
  policy: string,
  product: ChangedProduct,
  lookups: SavedLookUp[] = [],
): Promise<PriceKept> {
  return api.post('/api/v1/policy/{id}/price-keep', {
    path: { id: policy },
    body: { product, ...lookupsField(lookups) },
  });
}

// --- Ending ---------------------------------------------------------------------------------

export function useCancellationReasons() {
  return useRead('/api/v1/policy/reasons/cancellation', {}, ON_DEMAND);
}

export interface CancellationRequest {
  policy_uuid: string;
  reason_id: number;
  /** The first day without cover, yyyy-MM-dd. Today means an immediate end. */
  effective_date: string;
  note?: string;
}

/** Calculates the refund of a cancellation. The policy does not change. */
export function previewCancellation(request: CancellationRequest): Promise<Activity> {
  return api.post('/api/v1/activity/create', {
    body: { type: 'cancellation', ...request, preview: true },
  });
}

export function cancelPolicy(request: CancellationRequest, key: string): Promise<Activity> {
  return api.post('/api/v1/activity/create', {
    body: { type: 'cancellation', ...request },
    header: { 'Idempotency-Key': key },
  });
}

/** Withdraws a pending cancellation, which is possible until its day. */
export function withdrawCancellation(cancellation: string): Promise<Activity> {
  return api.put('/api/v1/activity/{id}/withdraw', { path: { id: cancellation } });
}

/**
 * Reads pending and past cancellations, newest first. `refreshInterval` returns the time in
 * milliseconds until the next read, or 0 for no further read.
 */
export function useCancellations(
  policy: string | null,
  refreshInterval: (latest?: Activity[]) => number,
) {
  return useRead(
    '/api/v1/activities',
    policy ? { query: { policy, type: 'cancellation' } } : null,
    // After an interval of 0, SWR calls `refreshInterval` again only if the function is new. So
    // each render makes a new function.
    { ...ON_DEMAND, refreshInterval: (latest) => refreshInterval(latest) },
  );
}

export function refuseCover(policy: string, key: string): Promise<NotTakenUp> {
  return api.put('/api/v1/policy/ntu/{id}', {
    path: { id: policy },
    header: { 'Idempotency-Key': key },
  });
}

// --- Renewing -------------------------------------------------------------------------------

/** Switches automatic renewal, and shows the new state before the policy is read again. */
export async function switchAutoRenew(policy: string, isOn: boolean): Promise<void> {
  await api.put('/api/v1/policy/{id}/auto-renew', {
    path: { id: policy },
    body: { auto_renew: isOn },
  });
  await mutate(
    policyKey(policy),
    (read: PolicyRead | undefined) =>
      read?.policy ? { ...read, policy: { ...read.policy, auto_renew: isOn } } : read,
    { revalidate: false },
  );
  // The server decides the day of the charge, so the policy is read again.
  void refreshPolicy(policy);
  void refreshRenewals();
}

/**
 * Switches the automatic renewal of a policy with a plan to monthly payments, or to one payment. Then
 * reads the policy again, because the server calculates the plan of the renewal.
 */
export async function switchRenewalPayment(policy: string, isMonthly: boolean): Promise<void> {
  await api.put('/api/v1/policy/{id}/auto-renew', {
    path: { id: policy },
    body: { auto_renew: true, payment_frequency: isMonthly ? 'monthly' : 'annual' },
  });
  await refreshPolicy(policy);
  void refreshRenewals();
}

/**
 * Reads the renewals on the screen again, after a change, a cancellation or a new choice of automatic
 * renewal.
 */
export async function refreshRenewals(): Promise<void> {
  await mutate((key) => isAddressOf('/api/v1/renewal/{id}', key));
}

export function useRenewal(quote: string | null) {
  return useRead('/api/v1/renewal/{id}', quote ? { path: { id: quote }, quote } : null, ON_DEMAND);
}
