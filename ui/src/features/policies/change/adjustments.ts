import type { Adjustment } from '../../../api/policyTypes';
import { readStored, writeStored } from '../../../lib/storage';

/** The parameter of the address that names the change whose price is shown instead of the form. */
export const ADJUSTMENT = 'adjustment';

/** Whether a change can still be accepted: its price is valid for a day. */
export function isOpen(adjustment: Adjustment, now: number): boolean {
  return adjustment.status === 'pending' && Date.parse(adjustment.expires) > now;
}

const DECLINED = 'layby.declined-change';

/**
 * Declining a change is not sent to the server (part 4 of the specification); this browser stores
 * it.
 */
export const decline = ({ adjustment_id }: Adjustment) => writeStored(DECLINED, adjustment_id);

export const isDeclined = ({ adjustment_id }: Adjustment) =>
  readStored<string>(DECLINED) === adjustment_id;
