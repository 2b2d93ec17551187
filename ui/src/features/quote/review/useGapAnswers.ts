import { useState } from 'react';
import { GAP_ANSWERS } from '../../../lib/storage/drafts';
import { readStored, removeStored, writeStored } from '../../../lib/storage/storage';
import type { GapAnswers, GapAnswersProps } from './Gaps';

const key = (quote: string) => `${GAP_ANSWERS}${quote}`;

/**
 * The customer's answers about the gaps. The server stores them at the purchase. Until then this
 * browser does, so that they survive a reload.
 */
export function useGapAnswers(quote: string | null, saved: GapAnswers): GapAnswersProps {
  const [gapAnswers, setGapAnswers] = useState(
    () => (quote && readStored<GapAnswers>(key(quote), 'session')) || saved,
  );
  return {
    gapAnswers,
    onAnswer: (now) => {
      setGapAnswers(now);
      if (quote) writeStored(key(quote), now, 'session');
    },
  };
}

/** The server has stored them. */
export function forgetGapAnswers(quote: string): void {
  removeStored(key(quote), 'session');
}
