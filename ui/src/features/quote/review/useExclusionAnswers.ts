import { useState } from 'react';
import { EXCLUSION_ANSWERS } from '../../../lib/storage/drafts';
import { readStored, removeStored, writeStored } from '../../../lib/storage/storage';
import type { ExclusionAnswers, ExclusionAnswersProps } from './Exclusions';

const key = (quote: string) => `${EXCLUSION_ANSWERS}${quote}`;

/**
 * Holds the customer's answers about the exclusions. The server stores them when the customer
 * accepts the quote. Until then, the browser tab stores the answers for a saved quote, so that a
 * reload keeps them.
 */
export function useExclusionAnswers(
  quote: string | null,
  saved: ExclusionAnswers,
): ExclusionAnswersProps {
  const [exclusionAnswers, setExclusionAnswers] = useState(
    () => (quote && readStored<ExclusionAnswers>(key(quote), 'session')) || saved,
  );
  return {
    exclusionAnswers,
    onAnswer: (now) => {
      setExclusionAnswers(now);
      if (quote) writeStored(key(quote), now, 'session');
    },
  };
}

/** Removes the answers from this browser after the server has stored them. */
export function forgetExclusionAnswers(quote: string): void {
  removeStored(key(quote), 'session');
}
