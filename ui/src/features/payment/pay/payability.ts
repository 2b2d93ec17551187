import { type QuoteRead, STATUS } from '../../../api/types';

/** Whether the customer can pay for a quote: `ready`, or the reason against the payment. */
export type Payability = 'ready' | 'bought' | 'expired' | 'refused' | 'incomplete' | 'unaccepted';

const REFUSED: readonly number[] = [STATUS.refer, STATUS.declined, STATUS.notTakenUp];

type Read = Pick<QuoteRead, 'info' | 'plan' | 'payment_frequency'>;

export function payability(quote: Read, now: Date): Payability {
  const { info } = quote;
  if (info.flags.policy || info.status_id === STATUS.live) return 'bought';
  if (REFUSED.includes(info.status_id)) return 'refused';
  const ends = info.dates.quote_expiry;
  if (info.status_id === STATUS.lapsed || (ends !== null && new Date(ends) <= now)) {
    return 'expired';
  }
  if (!info.flags.buyable || info.price === null) return 'incomplete';
  // The customer must choose again if the price can no longer be paid monthly.
  const isPlanMissing = quote.payment_frequency === 'monthly' && !quote.plan;
  return info.flags.accepted && !isPlanMissing ? 'ready' : 'unaccepted';
}
