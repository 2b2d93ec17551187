import type { Adjustment, PolicyTerm } from '../../../api/policies/policyTypes';
import { todayInLondon, toIsoDate } from '../../../lib/dates/dates';
import { readStored, writeStored } from '../../../lib/storage/storage';

/** The parameter of the address that names the change whose price is shown instead of the form. */
export const ADJUSTMENT = 'adjustment';

/** Whether a change can still be accepted: its price is valid for a day. */
export function isOpen(adjustment: Adjustment, now: number): boolean {
  return adjustment.status === 'pending' && Date.parse(adjustment.expires) > now;
}

/**
 * Whether an offered change would come later: it is for a day after the first that is possible,
 * which is today, or the first day of cover that has not begun.
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
 * Declining a change is not sent to the server (part 4 of the specification); this browser stores
 * it.
 */
export const decline = ({ adjustment_id }: Adjustment) => writeStored(DECLINED, adjustment_id);

export const isDeclined = ({ adjustment_id }: Adjustment) =>
  readStored<string>(DECLINED) === adjustment_id;
