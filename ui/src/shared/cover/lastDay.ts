import type { PolicyTerm } from '../../api/policies/policyTypes';

/**
 * The last day that a policy covers as things stand, `yyyy-MM-dd`; null where it is to end before its
 * first day.
 */
export function lastDay({ expiry, pending_cancellation: ending }: PolicyTerm): string | null {
  return ending ? ending.last_day : expiry;
}
