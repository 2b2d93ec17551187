import type { Adjustment } from '../../api/policies/policyTypes';
import { withDates } from '../../lib/dates/dates';

type ChangedAnswer = Adjustment['changes'][number];

/**
 * Returns an answer in the server's words, with days in the reader's format. Returns "none" for a
 * missing answer.
 */
export function changedAnswer(answer: string | null): string {
  return answer === null ? 'none' : withDates(answer);
}

/** Returns the added or removed item, or the answer before and after. */
export function changeText({ kind, before, after }: ChangedAnswer): string {
  if (kind === 'added') return withDates(after ?? '');
  if (kind === 'removed') return withDates(before ?? '');
  return `${changedAnswer(before)} → ${changedAnswer(after)}`;
}
