import type { Adjustment, PolicyTerm } from '../../../api/policies/policyTypes';
import { todayInLondon, toIsoDate } from '../../../lib/dates/dates';
import { readStored, writeStored } from '../../../lib/storage/storage';

/** The parameter of the address with the id of the priced change. */
export const ADJUSTMENT = 'adjustment';

/** Whether a change can still be accepted. Its price is valid for a day. */
export function isOpen(adjustment: Adjustment, now: number): boolean {
  return adjustment.status === 'pending' && Date.parse(adjustment.expires) > now;
}

/** Whether a change takes effect after the first possible day: today, or the first day of cover. */
export function takesEffectLater(
  { effective_date: day }: Adjustment,
  policy: PolicyTerm | null | undefined,
): boolean {
  const today = toIsoDate(todayInLondon());
  return day > today && day > (policy?.inception ?? today);
}

const DECLINED = 'layby.declined-change';

/**
 * The server does not store a declined change (part 4 of the specification), so this browser does.
 */
export const decline = ({ adjustment_id }: Adjustment) => writeStored(DECLINED, adjustment_id);

export const isDeclined = ({ adjustment_id }: Adjustment) =>
  readStored<string>(DECLINED) === adjustment_id;
