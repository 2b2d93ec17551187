import { mutate } from 'swr';
import { notifyOtherTabs, SIGNAL } from '../../lib/session/mayBeLoggedIn';
import { forgetAnswers } from '../../lib/storage/drafts';
import { forgetToken, quotesWithToken } from '../../lib/storage/tokens';
import { ApiError, api, type LoginPrompt } from '../client';
import { isPassing, statusOf } from '../failure';
import {
  forgetHolders,
  forgetProfiles,
  isPrivate,
  profileKey,
  readProfile,
  readQuote,
  refreshProfile,
} from '../hooks';
import type { Profile } from '../types';

export interface Credentials {
  username: string;
  password: string;
  remember: boolean;
}

const COOKIE_REFUSED =
  'Your browser did not keep the login. Please allow cookies for this website and try again.';

/**
 * Drops the cached responses that depend on the person logged in, except those for which
 * `shouldKeep` is true.
 */
async function clear(shouldKeep: (key: string) => boolean): Promise<void> {
  const read = (key: unknown) => isPrivate(key) && !(typeof key === 'string' && shouldKeep(key));
  await mutate(read, undefined, { revalidate: false });
}

/**
 * Sets the person logged in. Drops the responses that depend on the person. After a login,
 * responses about `quote` and about quotes with a token stay. Then reads the responses on the
 * screen again.
 */
async function setSession(profile: Profile | null, quote?: string): Promise<void> {
  const storedQuotes = profile ? [...quotesWithToken(), ...(quote ? [quote] : [])] : [];
  if (!profile) await forgetProfiles();
  await clear((key) => storedQuotes.some((uuid) => key.includes(uuid)));
  if (profile) await mutate(profileKey(null), profile, { revalidate: false });
  void mutate(isPrivate);
}

/** Adds a quote or policy to the account, by the token of this browser. Then removes the token. */
export async function joinAccount(uuid: string, login?: LoginPrompt): Promise<void> {
  await api.post('/api/v1/quote/{id}/adopt', { path: { id: uuid }, quote: uuid, login });
  forgetToken(uuid);
  await Promise.all([mutate(isPrivate), refreshProfile()]);
}

/**
 * Claims those of the account's waiting quotes that the customer has selected. The server does not
 * list the other waiting quotes again.
 */
export async function claimQuotes(quotes: string[]): Promise<void> {
  await api.post('/api/v1/quote/waiting', { body: { quotes } });
  await mutate(isPrivate);
}

const isGone = (failure: unknown) => [401, 404].includes(statusOf(failure) ?? 0);

/**
 * Checks whether a token still opens the documents of a policy. Returns false only if the server
 * refuses access (401 or 404).
 */
async function opensDocuments(uuid: string): Promise<boolean> {
  try {
    await api.get('/api/v1/policy/{id}/documents', { path: { id: uuid }, quote: uuid });
    return true;
  } catch (failure) {
    return !isGone(failure);
  }
}

/**
 * Adds the quotes and policies of this browser to the account if their mail address is the
 * account's. The page of any other quote or policy asks the customer whether to add it. Removes a
 * token that opens neither the quote nor the policy's documents.
 */
async function claimStoredQuotes(): Promise<void> {
  for (const uuid of quotesWithToken()) {
    try {
      const { info } = await readQuote(uuid);
      if (info.account === 'auto_claimable') await joinAccount(uuid, 'never');
    } catch (failure) {
      if (isGone(failure) && !(await opensDocuments(uuid))) forgetToken(uuid);
    }
  }
}

/** Shows the visitor as logged out. Typed text stays: the same person may go on. */
function showLoggedOut(): Promise<unknown> {
  return mutate(profileKey(null), null, { revalidate: false });
}

/**
 * Logs in. Throws if the server refuses the login or a call fails. After a refusal the visitor is
 * shown as logged out. `quote` is read again but stays on the screen, because it may have unsaved
 * changes.
 */
export async function login(credentials: Credentials, quote?: string): Promise<void> {
  try {
    await api.post('/api/login', { body: credentials, login: 'never' });
  } catch (failure) {
    if (!isPassing(failure)) await showLoggedOut();
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
    await showLoggedOut();
    throw new ApiError(401, COOKIE_REFUSED);
  }
  await setSession(profile, quote);
  notifyOtherTabs();
  void claimStoredQuotes();
}

/**
 * Shows the visitor as logged out in all tabs. Call this function after the server has ended the
 * session, such as by a change of password.
 */
export async function endSession(): Promise<void> {
  await setSession(null);
  notifyOtherTabs();
}

/**
 * Removes the stored answers and tokens. Drops the responses that depend on a person or a token.
 */
export async function clearAnswers(): Promise<void> {
  forgetAnswers();
  await Promise.all([clear(() => false), forgetHolders()]);
}

/**
 * Reads the profile after a login or logout in another tab, so that two people never share a
 * screen. If the person has changed, sets the new person. Returns the function that removes the
 * listener.
 */
export function followOtherTabs(current: () => string | null): () => void {
  const onStorage = async (event: StorageEvent) => {
    if (event.key !== SIGNAL) return;
    let profile: Profile | null;
    try {
      profile = await readProfile(null);
    } catch {
      // The person is unknown, so nothing changes.
      return;
    }
    if ((profile?.user_uuid ?? null) !== current()) await setSession(profile);
  };
  const listen = (event: StorageEvent) => void onStorage(event);
  window.addEventListener('storage', listen);
  return () => window.removeEventListener('storage', listen);
}
