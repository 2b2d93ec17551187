import { useState } from 'react';
import { GAP_ANSWERS } from '../../../lib/storage/drafts';
import { readStored, removeStored, writeStored } from '../../../lib/storage/storage';
import type { GapAnswers, GapAnswersProps } from './Gaps';

const key = (quote: string) => `${GAP_ANSWERS}${quote}`;

/**
 * What the customer says of the gaps of their cover. The server keeps it when they agree to buy; until
 * then this browser does, so that a reload of the page loses nothing.
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

/** The server has them. */
export function forgetGapAnswers(quote: string): void {
  removeStored(key(quote), 'session');
}
