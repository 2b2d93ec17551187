import { useEffect } from 'react';
import { useProfile } from '../../../api/hooks';
import type { ResetProfile } from '../../../api/types';
import { createSignal } from '../../../lib/signal';
import { removeStored } from '../../../lib/storage/storage';
import { useSignal } from '../../../lib/useSignal';

export interface Reset {
  /** The secret of the mailed link. */
  aid: string;
  profile: ResetProfile;
}

/** The storage key of the link's secret, for a reload. */
export const RESET_KEY = 'layby.reset';

export const activeReset = createSignal<Reset | null>(null);

/** Whether the user has just changed or first set a password. The user must then log in. */
export const passwordChanged = createSignal<false | 'changed' | 'set'>(false);

/** The username of a mailed link's user, which the login form shows. */
export const newUser = createSignal<string | null>(null);

/** Returns the title of a reset. The title says whether the user sets a first password. */
export function resetTitle({ profile }: Reset): string {
  return profile.new_user ? 'Set a password' : 'Reset password';
}

export function endReset(): void {
  removeStored(RESET_KEY, 'session');
  activeReset.set(null);
}

/**
 * Returns the current reset, or null. A login ends the reset, because the user then knows a
 * password.
 */
export function useReset(): Reset | null {
  const reset = useSignal(activeReset);
  const changed = useSignal(passwordChanged);
  const user = useSignal(newUser);
  const { data: profile } = useProfile();
  const loggedIn = Boolean(profile);
  useEffect(() => {
    if (!loggedIn) return;
    if (reset) endReset();
    if (changed) passwordChanged.set(false);
    if (user) newUser.set(null);
  }, [loggedIn, reset, changed, user]);
  return loggedIn ? null : reset;
}

export function useResetMode(): boolean {
  return useReset() !== null;
}
