import type { PolicyTerm } from '../../api/policies/policyTypes';

/**
 * Returns the last day of cover, `yyyy-MM-dd`. Returns null if the policy ends before its first
 * day.
 */
export function lastDay({ expiry, pending_cancellation: ending }: PolicyTerm): string | null {
  return ending ? ending.last_day : expiry;
}
