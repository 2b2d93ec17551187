import { type QuoteInfo, STATUS } from '../../api/types';

/** Why a quote can't be paid. */
export type Standing = 'ready' | 'bought' | 'expired' | 'refused' | 'incomplete' | 'unaccepted';

const REFUSED: readonly number[] = [STATUS.refer, STATUS.declined, STATUS.notTakenUp];

export function standing(info: QuoteInfo, now: Date): Standing {
  if (info.flags.policy || info.status_id === STATUS.live) return 'bought';
  if (REFUSED.includes(info.status_id)) return 'refused';
  const ends = info.dates.quote_expiry;
  if (info.status_id === STATUS.lapsed || (ends !== null && new Date(ends) <= now)) {
    return 'expired';
  }
  if (!info.flags.buyable || info.price === null) return 'incomplete';
  return info.flags.accepted ? 'ready' : 'unaccepted';
}
