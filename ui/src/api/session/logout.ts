import { forgetAnswers } from '../../lib/storage/drafts';
import { api } from '../client';
import { readKnownProfile } from '../hooks';
import { removeCard } from '../policies/rescueCard';
import { endSession } from './session';

/**
 * Logs out. No answer of the session stays on the screen, and no token, no draft and no rescue card in
 * this browser. Answers whether there was a card.
 */
export async function logout(): Promise<boolean> {
  await api.get('/api/logout');
  forgetAnswers();
  const hadCard = await removeCard();
  await endSession();
  return hadCard;
}

/**
 * Logs out whoever is logged in, for a mailed link that may be another person's. A visitor who was
 * not logged in keeps their tokens: it is their own link as a rule.
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
