import type { Adjustment, PolicyTerm } from '../../../api/policies/policyTypes';
import { todayInLondon, toIsoDate } from '../../../lib/dates/dates';
import { readStored, writeStored } from '../../../lib/storage/storage';

/** The parameter of the address with the id of the priced change. */
export const ADJUSTMENT = 'adjustment';

/** Checks whether the customer can still accept a change. `now` is in milliseconds. */
export function isOpen(adjustment: Adjustment, now: number): boolean {
  return adjustment.status === 'pending' && Date.parse(adjustment.expires) > now;
}

/**
 * Checks whether a change takes effect after the first possible day. That day is today, or the
 * first day of cover if the cover has not begun.
 */
export function takesEffectLater(
  { effective_date: day }: Adjustment,
  policy: PolicyTerm | null | undefined,
): boolean {
  const today = toIsoDate(todayInLondon());
  return day > today && day > (policy?.inception ?? today);
}

const DECLINED = 'layby.declined-change';

/**
 * Stores the last declined change in this browser. The server does not store declined changes (part
 * 4 of the specification).
 */
export const decline = ({ adjustment_id }: Adjustment) => writeStored(DECLINED, adjustment_id);

export const isDeclined = ({ adjustment_id }: Adjustment) =>
  readStored<string>(DECLINED) === adjustment_id;
