import type { Adjustment } from '../../../api/life';
import { readStored, writeStored } from '../../../lib/storage';

/** Names the priced change that the change screen shows instead of the form. */
export const ADJUSTMENT = 'adjustment';

export const priceOfChange = (policy: string, adjustment: string) =>
  `/quote/edit/${policy}?${ADJUSTMENT}=${adjustment}`;

/** Whether it can still be agreed to: the price of a change holds for a day. */
export function isOpen(adjustment: Adjustment, now: number): boolean {
  return adjustment.status === 'pending' && Date.parse(adjustment.expires) > now;
}

const DECLINED = 'layby.declined-change';

/** Declining tells the server nothing (part 4 of the specification): only this browser minds. */
export const decline = ({ adjustment_id }: Adjustment) => writeStored(DECLINED, adjustment_id);

export const isDeclined = ({ adjustment_id }: Adjustment) =>
  readStored<string>(DECLINED) === adjustment_id;
