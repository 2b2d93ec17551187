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
 * Drops the cached answers that depend on who is logged in, except those of keys for which `keeps`
 * is true.
 */
async function clear(shouldKeep: (key: string) => boolean): Promise<void> {
  const read = (key: unknown) => isPrivate(key) && !(typeof key === 'string' && shouldKeep(key));
  await mutate(read, undefined, { revalidate: false });
}

/** Makes `profile` the person logged in. No answer for another person stays on the screen. */
async function setSession(profile: Profile | null, quote?: string): Promise<void> {
  const storedQuotes = profile ? [...quotesWithToken(), ...(quote ? [quote] : [])] : [];
  if (!profile) await forgetProfiles();
  await clear((key) => storedQuotes.some((uuid) => key.includes(uuid)));
  if (profile) await mutate(profileKey(null), profile, { revalidate: false });
  void mutate(isPrivate);
}

/** Adds a quote or policy whose token this browser holds to the account; then the token is over. */
export async function joinAccount(uuid: string, login?: LoginPrompt): Promise<void> {
  await api.post('/api/v1/quote/{id}/adopt', { path: { id: uuid }, quote: uuid, login });
  forgetToken(uuid);
  await Promise.all([mutate(isPrivate), refreshProfile()]);
}

/**
 * Says which of the quotes that wait for the account's mail address are the customer's; about the
 * others nobody is asked again.
 */
export async function claimQuotes(quotes: string[]): Promise<void> {
  await api.post('/api/v1/quote/waiting', { body: { quotes } });
  await mutate(isPrivate);
}

const isGone = (failure: unknown) => [401, 404].includes(statusOf(failure) ?? 0);

/** Whether a token still opens the documents of a policy, when it opens nothing else. */
async function opensDocuments(uuid: string): Promise<boolean> {
  try {
    await api.get('/api/v1/policy/{id}/documents', { path: { id: uuid }, quote: uuid });
    return true;
  } catch (failure) {
    return !isGone(failure);
  }
}

/**
 * Adds the quotes and policies of this browser to the account if their mailbox is the account's.
 * About the others the customer is asked when they are opened. Only a token that opens nothing any
 * more is forgotten.
 */
async function claimStoredQuotes(): Promise<void> {
  for (const uuid of quotesWithToken()) {
    try {
      const { info } = await readQuote(uuid);
      if (info.account === 'joins') await joinAccount(uuid, 'never');
    } catch (failure) {
      if (isGone(failure) && !(await opensDocuments(uuid))) forgetToken(uuid);
    }
  }
}

/**
 * Shows the visitor as logged out. What was typed into forms stays, as the same person may go on.
 */
function showLoggedOut(): Promise<unknown> {
  return mutate(profileKey(null), null, { revalidate: false });
}

/**
 * Logs in. If refused, it throws the client's ApiError with the server's message, and the visitor
 * is shown as logged out. `quote` is the uuid of a quote on the screen with unsaved changes: it is
 * read again but stays on the screen meanwhile.
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

/** To be called when the server has ended the session, as after a change of password. */
export async function endSession(): Promise<void> {
  await setSession(null);
  notifyOtherTabs();
}

/** Forgets what this browser keeps of quotes, and what is shown by their tokens. */
export async function clearAnswers(): Promise<void> {
  forgetAnswers();
  await Promise.all([clear(() => false), forgetHolders()]);
}

/** Follows a login or logout in another tab, so that two people never share one screen. */
export function followOtherTabs(current: () => string | null): () => void {
  const onStorage = async (event: StorageEvent) => {
    if (event.key !== SIGNAL) return;
    let profile: Profile | null;
    try {
      profile = await readProfile(null);
    } catch {
      // Nobody knows who is logged in now, so nothing changes.
      return;
    }
    if ((profile?.user_uuid ?? null) !== current()) await setSession(profile);
  };
  const listen = (event: StorageEvent) => void onStorage(event);
  window.addEventListener('storage', listen);
  return () => window.removeEventListener('storage', listen);
}
