import { forgetAnswers } from '../../lib/storage/drafts';
import { api } from '../client';
import { readKnownProfile } from '../hooks';
import { removeCard } from '../policies/rescueCard';
import { endSession } from './session';

/**
 * Logs out. Removes the session's responses from the screen, and tokens, drafts and the rescue card
 * from the browser. Returns whether there was a card.
 */
export async function logout(): Promise<boolean> {
  await api.get('/api/logout');
  forgetAnswers();
  const hadCard = await removeCard();
  await endSession();
  return hadCard;
}

/**
 * Logs out before a mailed link opens, which may be another person's. A visitor without a session
 * keeps the tokens: the link is usually their own.
 */
export async function logoutForLink(): Promise<void> {
  const profile = await readKnownProfile(null).catch(() => null);
  await api.get('/api/logout');
  if (profile) {
    forgetAnswers();
    await removeCard();
  }
  await endSession();
}
