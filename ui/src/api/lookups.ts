import type { SavedLookUp } from './types';

/** The `lookups` field of a save. Empty if there are no look-ups. */
export function lookupsField(lookups: SavedLookUp[]): { lookups?: SavedLookUp[] } {
  return lookups.length > 0 ? { lookups } : {};
}
