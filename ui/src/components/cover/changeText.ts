import type { Adjustment } from '../../api/policyTypes';

type Change = Adjustment['changes'][number];

/** What is added or removed; of an answer what it was and what it becomes. */
export function changeText({ kind, before, after }: Change): string {
  if (kind === 'added') return after ?? '';
  if (kind === 'removed') return before ?? '';
  return `${before ?? 'none'} → ${after ?? 'none'}`;
}
