import { useEffect } from 'react';
import { useProfile } from '../../api/hooks';
import type { ResetProfile } from '../../api/types';
import { createSignal, useSignal } from '../../lib/signal';
import { removeStored } from '../../lib/storage';

export interface Reset {
  /** The secret of the mailed link. */
  aid: string;
  profile: ResetProfile;
}

/** Where a mailed link's secret waits for a reload. */
export const RESET_KEY = 'layby.reset';

export const activeReset = createSignal<Reset | null>(null);

/** The password was changed in either way, and nobody is logged in until they do with the new one. */
export const passwordChanged = createSignal(false);

/** Who followed a mailed link: the login that comes next is asked in their name. */
export const newUser = createSignal<string | null>(null);

export function endReset(): void {
  removeStored(RESET_KEY, 'session');
  activeReset.set(null);
}

/** The reset under way. A login ends it: whoever knows the password needs no new one. */
export function useReset(): Reset | null {
  const reset = useSignal(activeReset);
  const changed = useSignal(passwordChanged);
  const known = useSignal(newUser);
  const { data: profile } = useProfile();
  const loggedIn = Boolean(profile);
  useEffect(() => {
    if (!loggedIn) return;
    if (reset) endReset();
    if (changed) passwordChanged.set(false);
    if (known) newUser.set(null);
  }, [loggedIn, reset, changed, known]);
  return loggedIn ? null : reset;
}

export function useResetMode(): boolean {
  return useReset() !== null;
}
