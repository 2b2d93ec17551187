import { mutate } from 'swr';
import { forgetDrafts } from '../lib/drafts';
import { SIGNAL, tellOtherTabs } from '../lib/mayBeLoggedIn';
import { forgetToken, heldQuotes } from '../lib/tokens';
import { ApiError, api } from './client';
import { isPassing, statusOf } from './failure';
import {
  forgetProfiles,
  isPrivate,
  profileKey,
  readKnownProfile,
  readProfile,
  readQuote,
  refreshProfile,
} from './hooks';
import { removeCard } from './rescueCard';
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

/** Adds a quote or policy whose token this browser holds to the account; then the token is over. */
export async function joinAccount(uuid: string): Promise<void> {
  await api.post('/api/v1/quote/{id}/adopt', { path: { id: uuid }, quote: uuid });
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
async function joinWhatIsTheirs(): Promise<void> {
  for (const uuid of heldQuotes()) {
    try {
      const { info } = await readQuote(uuid);
      if (info.account === 'joins') await joinAccount(uuid);
    } catch (failure) {
      if (isGone(failure) && !(await opensDocuments(uuid))) forgetToken(uuid);
    }
  }
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
  void joinWhatIsTheirs();
}

/** To be called when the server has ended the session, as after a change of password. */
export async function endSession(): Promise<void> {
  await become(null);
  tellOtherTabs();
}

/**
 * Forgets every token of this browser and what was typed into its forms: the next person at it may be
 * another one.
 */
function forgetPerson(): void {
  for (const uuid of heldQuotes()) forgetToken(uuid);
  forgetDrafts();
}

/**
 * Logs out. No answer of the session stays on the screen, and no token, no draft and no rescue card in
 * this browser. Answers whether there was a card.
 */
export async function logout(): Promise<boolean> {
  await api.get('/api/logout');
  forgetPerson();
  const hadCard = await removeCard();
  await endSession();
  return hadCard;
}

/**
 * Logs out whoever is logged in, for a mailed link that may be another person's. A visitor who was
 * not logged in keeps their tokens: it is their own link as a rule.
 */
export async function logoutForLink(): Promise<void> {
  const known = await readKnownProfile(null).catch(() => null);
  await api.get('/api/logout');
  if (known) {
    forgetPerson();
    await removeCard();
  }
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
