import type { Adjustment } from '../../../api/life';

/** Names the priced change that the change screen shows instead of the form. */
export const ADJUSTMENT = 'adjustment';

export const priceOfChange = (policy: string, adjustment: string) =>
  `/quote/edit/${policy}?${ADJUSTMENT}=${adjustment}`;

/** Whether it can still be agreed to: the price of a change holds for a day. */
export function isOpen(adjustment: Adjustment, now: number): boolean {
  return adjustment.status === 'pending' && Date.parse(adjustment.expires) > now;
}
