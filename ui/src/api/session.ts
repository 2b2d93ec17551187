import { mutate } from 'swr';
import { writeStored } from '../lib/storage';
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

/** Another tab hears of a change of person by a change of what is stored here. */
const SIGNAL = 'layby.session';

function tellOtherTabs(): void {
  writeStored(SIGNAL, crypto.randomUUID());
}

/** Forgets what was read as somebody else; `keeps` says what this browser may read as nobody. */
async function clear(keeps: (key: string) => boolean): Promise<void> {
  const read = (key: unknown) => isPrivate(key) && !(typeof key === 'string' && keeps(key));
  await mutate(read, undefined, { revalidate: false });
}

/** From here on `profile` is who is here. Nothing read as another person stays on the screen. */
async function become(profile: Profile | null, quote?: string): Promise<void> {
  const kept = profile ? [...heldQuotes(), ...(quote ? [quote] : [])] : [];
  if (!profile) await forgetProfiles();
  await clear((key) => kept.some((uuid) => key.includes(uuid)));
  if (profile) await mutate(profileKey(null), profile, { revalidate: false });
  void mutate(isPrivate);
}

/** One quote of this browser joins the account; a token that is no use any more is forgotten. */
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

/** Nobody is here as far as the page shows. What was typed into its forms may be theirs still. */
function showNobody(): Promise<unknown> {
  return mutate(profileKey(null), null, { revalidate: false });
}

/**
 * Logs in; throws the client's ApiError with the server's message when refused, and then whoever
 * was here before is not any more. `quote` is on the screen with changes in it, and is read again
 * without being taken away first.
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

/** The server ended the session by itself, as it does after a change of password. */
export async function endSession(): Promise<void> {
  await become(null);
  tellOtherTabs();
}

/** Ends the session; nothing that was read with it stays on the screen. */
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
