import { mutate } from 'swr';
import { api } from './client';
import { forgetProfiles, isPrivate, refreshProfile } from './hooks';

/** Logs in; throws the client's ApiError with the server's message when refused. */
export async function login(username: string, password: string): Promise<void> {
  await api.post('/api/login', { username, password, remember: true });
  await refreshProfile();
}

/** Ends the session; nothing that was read with it stays on the screen. */
export async function logout(): Promise<void> {
  await api.get('/api/logout');
  await forgetProfiles();
  await mutate(isPrivate, undefined, { revalidate: true });
}
