import { type QuoteInfo, STATUS } from '../../../api/types';

/** Whether the customer can pay for a quote: `ready`, or the reason against the payment. */
export type Payability = 'ready' | 'bought' | 'expired' | 'refused' | 'incomplete' | 'unaccepted';

const REFUSED: readonly number[] = [STATUS.refer, STATUS.declined, STATUS.notTakenUp];

export function payability(info: QuoteInfo, now: Date): Payability {
  if (info.flags.policy || info.status_id === STATUS.live) return 'bought';
  if (REFUSED.includes(info.status_id)) return 'refused';
  const ends = info.dates.quote_expiry;
  if (info.status_id === STATUS.lapsed || (ends !== null && new Date(ends) <= now)) {
    return 'expired';
  }
  if (!info.flags.buyable || info.price === null) return 'incomplete';
  return info.flags.accepted ? 'ready' : 'unaccepted';
}
