import type { PolicyTerm } from '../../api/policyTypes';

/** The last day that a policy covers as things stand, `yyyy-MM-dd`. */
export function lastDay({ expiry, pending_cancellation: ending }: PolicyTerm): string {
  return ending?.last_day ?? expiry;
}
