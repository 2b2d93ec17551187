import { forgetAnswers } from '../../lib/storage/drafts';
import { api } from '../client';
import { readKnownProfile } from '../hooks';
import { removeCard } from '../policies/rescueCard';
import { endSession } from './session';

/**
 * Logs out. Removes the person's responses from the screen. Removes tokens, typed answers and the
 * rescue card from the browser. Returns whether there was a card.
 */
export async function logout(): Promise<boolean> {
  await api.get('/api/logout');
  forgetAnswers();
  const hadCard = await removeCard();
  await endSession();
  return hadCard;
}

/**
 * Logs out before a mailed link opens, because the link may be another person's. If the visitor was
 * logged in, also removes tokens, typed answers and the rescue card. A visitor who was not logged
 * in keeps them: the link is usually the visitor's own.
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
