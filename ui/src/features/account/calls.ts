import { api } from '../../api/client';
import { logoutForLink } from '../../api/session/logout';
import { endSession } from '../../api/session/session';
import type { PasswordChange, Profile, ProfileChange, Retrieval } from '../../api/types';
import { activeReset, endReset, newUser, passwordChanged, type Reset } from './password/resetMode';

export function saveProfile(change: ProfileChange): Promise<Profile> {
  return api.put('/api/v1/profile', { body: change });
}

/** Changes the password. The server ends every session of the user, including this one. */
export async function changePassword(change: PasswordChange): Promise<void> {
  await api.put('/api/v1/profile/password', { body: change });
  await endSession();
  passwordChanged.set('changed');
}

/**
 * Reads the user of a mailed link. Logs out any person who is logged in, because the link may
 * belong to another person.
 */
export async function openReset(aid: string): Promise<Reset> {
  const profile = await api.get('/api/v1/password/{aid}/info', { path: { aid } });
  await logoutForLink();
  const reset = { aid, profile };
  passwordChanged.set(false);
  newUser.set(profile.user_username ?? profile.email_primary);
  activeReset.set(reset);
  return reset;
}

export async function resetPassword(
  { aid, profile }: Reset,
  password: string,
  repeat: string,
): Promise<void> {
  await api.post('/api/v1/password/{aid}/reset', {
    path: { aid },
    body: { issue: 0, password, password_rpt: repeat, identifier: profile.identifier },
  });
  endReset();
  passwordChanged.set(profile.new_user ? 'set' : 'changed');
}

export async function requestLink(username: string): Promise<void> {
  await api.post('/api/v1/retrieve-password-request', { body: { username } });
}

export async function retrievePassword(retrieval: Retrieval): Promise<void> {
  await api.post('/api/v1/retrieve-password', { body: retrieval });
  newUser.set(retrieval.username);
}

/**
 * Confirms a new mail address. A visitor who opens the link without a session is asked to log in.
 */
export async function confirmEmail(secret: string): Promise<void> {
  await api.post('/api/v1/profile/email', { body: { secret }, login: 'anyone' });
}
