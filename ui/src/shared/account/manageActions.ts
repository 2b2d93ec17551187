import type { QuoteRead } from '../../api/types';

/** Checks whether a policy covers single trips, which are never renewed. */
export function coversTrips({ info }: QuoteRead): boolean {
  return info.price?.per === 'trip';
}

/** Returns the owner's actions on a policy, to stand before "it". */
export function manageActions(trips: boolean): string {
  return trips ? 'change or cancel' : 'change, renew or cancel';
}
