import type { Adjustment, PolicyTerm } from '../../../api/policies/policyTypes';
import { todayInLondon, toIsoDate } from '../../../lib/dates/dates';
import { readStored, writeStored } from '../../../lib/storage/storage';

/** The parameter of the address with the id of the priced change. */
export const ADJUSTMENT = 'adjustment';

/** Checks whether a change can still be accepted. Its price is valid for a day. */
export function isOpen(adjustment: Adjustment, now: number): boolean {
  return adjustment.status === 'pending' && Date.parse(adjustment.expires) > now;
}

/**
 * Checks whether a change takes effect after the first possible day: today, or the first day of
 * cover.
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
 * Stores a declined change in this browser, because the server does not store it (part 4 of the
 * specification).
 */
export const decline = ({ adjustment_id }: Adjustment) => writeStored(DECLINED, adjustment_id);

export const isDeclined = ({ adjustment_id }: Adjustment) =>
  readStored<string>(DECLINED) === adjustment_id;
