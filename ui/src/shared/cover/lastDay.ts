import type { PolicyTerm } from '../../api/policies/policyTypes';

/**
 * Returns the last day of cover, `yyyy-MM-dd`. Returns null if a pending cancellation leaves no
 * full day of cover.
 */
export function lastDay({ expiry, pending_cancellation: ending }: PolicyTerm): string | null {
  return ending ? ending.last_day : expiry;
}
