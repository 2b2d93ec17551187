import { statusOf } from '../../../api/failure';
import { useAdjustments } from '../../../api/policies/policy';
import type { Adjustment } from '../../../api/policies/policyTypes';
import type { Payment } from '../../../api/types';
import { usePaymentStatus } from '../result/usePaymentStatus';

const POLL_MS = 2000;

/**
 * Checks whether the server found no quote or policy with the id (404). The id may then be the id
 * of a change.
 */
export function isNotFound(error: unknown): boolean {
  return statusOf(error) === 404;
}

export type PaidAdjustment =
  | { state: 'loading' }
  | { state: 'none' }
  | { state: 'plan'; payment: Payment }
  | { state: 'failed'; error: unknown; retry: () => void }
  | { state: 'found'; policy: string; adjustment: Adjustment };

/**
 * Returns the change that a payment is for, or the payment itself if it is for a plan. With `waitUntilApplied`, reads the change again while
 * the change is pending.
 */
export function usePaidAdjustment(id: string | null, waitUntilApplied = false): PaidAdjustment {
  const payment = usePaymentStatus(id, 'backoff');
  const policy = payment.data?.policy_uuid ?? null;
  const adjustments = useAdjustments(policy, (latest) => {
    const adjustment = latest?.find((each) => each.adjustment_id === id);
    return waitUntilApplied && adjustment?.status === 'pending' ? POLL_MS : 0;
  });
  const error = payment.data ? adjustments.error : payment.error;
  if (payment.data === null) return { state: 'none' };
  if (payment.data?.pays_plan) {
    return { state: 'plan', payment: payment.data };
  }
  if (payment.data === undefined || (policy && !adjustments.data)) {
    if (!error) return { state: 'loading' };
    const retry = () => {
      void payment.mutate();
      void adjustments.mutate();
    };
    return { state: 'failed', error, retry };
  }
  const adjustment = adjustments.data?.find((each) => each.adjustment_id === id);
  return policy && adjustment ? { state: 'found', policy, adjustment } : { state: 'none' };
}

/** Checks whether an agreed change was withdrawn, or superseded by the end of the policy. */
export function isWithdrawn({ status, agreed }: Adjustment): boolean {
  return agreed !== null && (status === 'withdrawn' || status === 'superseded');
}
