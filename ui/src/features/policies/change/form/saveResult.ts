import type { Answers, Errors } from '../../../../form/types';
import { POLICY_CHANGES } from '../../../../lib/storage/drafts';
import { readStored, removeStored, writeStored } from '../../../../lib/storage/storage';
import { NOW, type StartChoice } from '../../startChoice';
import type { Changes } from './changes';

/**
 * The result of a save without a new price (part 4 of the specification). The browser stores the
 * result during the reload after the save, and the page shows it once.
 */
export interface SaveResult {
  success: boolean;
  errors: Errors;
  message: string | null;
  /** The changes that are not saved yet. */
  changes: Changes;
  /** The look-ups of the vehicles in the form. */
  lookups?: Answers['lookups'];
  /** The start of the changes that are not saved yet. */
  start: StartChoice;
}

const key = (policy: string) => `${POLICY_CHANGES}${policy}`;

export function storeSaveResult(policy: string, result: SaveResult): void {
  writeStored(key(policy), result, 'session');
}

export function readSaveResult(policy: string): SaveResult | null {
  const stored = readStored<Partial<SaveResult>>(key(policy), 'session');
  const { changes } = stored ?? {};
  if (!stored || typeof changes?.values !== 'object' || typeof changes.multi !== 'object')
    return null;
  return {
    success: stored.success === true,
    errors: stored.errors ?? {},
    message: stored.message ?? null,
    changes,
    lookups: stored.lookups,
    start: stored.start ?? NOW,
  };
}

export function forgetSaveResult(policy: string): void {
  removeStored(key(policy), 'session');
}
