import { usePolicyRead } from '../../api/hooks';
import type { PolicyTerm } from '../../api/policies/policyTypes';
import { STATUS } from '../../api/types';

export interface LinkedPolicy {
  reference: string;
  policy: PolicyTerm;
}

/**
 * Reads the policy before or after another policy. Returns null if there is no such policy, if it
 * is not live, or until it is read.
 */
export function useLinkedPolicy(uuid: string | null | undefined): LinkedPolicy | null {
  const { data: read } = usePolicyRead(uuid ?? null);
  if (!read?.policy || read.info.status_id !== STATUS.live) return null;
  return { reference: read.info.custom_id, policy: read.policy };
}
