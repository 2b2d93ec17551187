import { useState } from 'react';

/**
 * Whether every answer that a page needs has arrived or has failed. The page is shown only then, so
 * that nothing on it moves later. Once true, it stays true while answers are read again.
 */
export function useAllLoaded(answers: readonly { isLoading: boolean }[]): boolean {
  const [before, setBefore] = useState(false);
  const isLoaded = before || answers.every(({ isLoading }) => !isLoading);
  if (isLoaded && !before) setBefore(true);
  return isLoaded;
}
