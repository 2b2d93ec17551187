import type { QuoteRead } from '../../api/types';

/** Whether a policy covers single trips, which are never renewed. */
export function coversTrips({ info }: QuoteRead): boolean {
  return info.price?.per === 'trip';
}

/** The owner's actions on a policy, before "it". */
export function manageActions(trips: boolean): string {
  return trips ? 'change or cancel' : 'change, renew or cancel';
}
