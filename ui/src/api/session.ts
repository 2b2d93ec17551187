import { mutate } from 'swr';
import { SIGNAL, tellOtherTabs } from '../lib/mayBeLoggedIn';
import { forgetToken, heldQuotes } from '../lib/tokens';
import { ApiError, api } from './client';
import { isPassing, statusOf } from './failure';
import { forgetProfiles, isPrivate, profileKey, readProfile, refreshProfile } from './hooks';
import type { Profile } from './types';

export interface Credentials {
  username: string;
  password: string;
  remember: boolean;
}

const NOT_KEPT =
  'Your browser did not keep the login. Please allow cookies for this website and try again.';

/**
 * Drops the cached answers that depend on who is logged in, except those of keys for which `keeps`
 * is true.
 */
async function clear(keeps: (key: string) => boolean): Promise<void> {
  const read = (key: unknown) => isPrivate(key) && !(typeof key === 'string' && keeps(key));
  await mutate(read, undefined, { revalidate: false });
}

/** Makes `profile` the person logged in. No answer for another person stays on the screen. */
async function become(profile: Profile | null, quote?: string): Promise<void> {
  const kept = profile ? [...heldQuotes(), ...(quote ? [quote] : [])] : [];
  if (!profile) await forgetProfiles();
  await clear((key) => kept.some((uuid) => key.includes(uuid)));
  if (profile) await mutate(profileKey(null), profile, { revalidate: false });
  void mutate(isPrivate);
}

/** Adds a quote of this browser to the account; a token that no longer works is forgotten. */
async function adopt(uuid: string): Promise<void> {
  try {
    await api.post('/api/v1/quote/{id}/adopt', { path: { id: uuid }, quote: uuid });
    forgetToken(uuid);
  } catch (failure) {
    const status = statusOf(failure);
    if (status === 401 || status === 404) forgetToken(uuid);
  }
}

async function adoptHeldQuotes(): Promise<void> {
  const held = heldQuotes();
  if (held.length === 0) return;
  for (const uuid of held) await adopt(uuid);
  await Promise.all([mutate(isPrivate), refreshProfile()]);
}

/**
 * Shows the visitor as logged out. What was typed into forms stays, as the same person may go on.
 */
function showNobody(): Promise<unknown> {
  return mutate(profileKey(null), null, { revalidate: false });
}

/**
 * Logs in. If refused, it throws the client's ApiError with the server's message, and the visitor
 * is shown as logged out. `quote` is the uuid of a quote on the screen with unsaved changes: it is
 * read again but stays on the screen meanwhile.
 */
export async function login(credentials: Credentials, quote?: string): Promise<void> {
  try {
    await api.post('/api/login', { body: credentials });
  } catch (failure) {
    if (!isPassing(failure)) await showNobody();
    throw failure;
  }
  let profile: Profile | null;
  try {
    profile = await readProfile(null);
  } catch (failure) {
    await forgetProfiles();
    throw failure;
  }
  if (!profile) {
    await showNobody();
    throw new ApiError(401, NOT_KEPT);
  }
  await become(profile, quote);
  tellOtherTabs();
  void adoptHeldQuotes();
}

/** To be called when the server has ended the session, as after a change of password. */
export async function endSession(): Promise<void> {
  await become(null);
  tellOtherTabs();
}

/** Logs out. No answer of the session stays on the screen. */
export async function logout(): Promise<void> {
  await api.get('/api/logout');
  await endSession();
}

/** Follows a login or logout in another tab, so that two people never share one screen. */
export function followOtherTabs(current: () => string | null): () => void {
  const heard = async (event: StorageEvent) => {
    if (event.key !== SIGNAL) return;
    const profile = await readProfile(null).catch(() => null);
    if ((profile?.user_uuid ?? null) !== current()) await become(profile);
  };
  const listen = (event: StorageEvent) => void heard(event);
  window.addEventListener('storage', listen);
  return () => window.removeEventListener('storage', listen);
}
