import type { QuoteRead } from '../../api/types';

/** Checks whether a policy covers single trips, which are never renewed. */
export function coversTrips({ info }: QuoteRead): boolean {
  return info.price?.per === 'trip';
}

/** Returns the words for the owner's actions on a policy. The caller adds "it". */
export function manageActions(trips: boolean): string {
  return trips ? 'change or cancel' : 'change, renew or cancel';
}
