import type { SavedLookUp } from './types';

/** The member of a save or a change that names its look-ups, where there are any. */
export function lookupsField(lookups: SavedLookUp[]): { lookups?: SavedLookUp[] } {
  return lookups.length > 0 ? { lookups } : {};
}
