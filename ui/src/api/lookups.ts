import type { SavedLookUp } from './types';

/** Builds the `lookups` field of a save. The result is empty if there are no look-ups. */
export function lookupsField(lookups: SavedLookUp[]): { lookups?: SavedLookUp[] } {
  return lookups.length > 0 ? { lookups } : {};
}
