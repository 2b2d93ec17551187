import { useState } from 'react';

/**
 * Checks whether every read of a page has ended. A page that waits for all reads does not move
 * later. Once true, the result stays true.
 */
export function useAllLoaded(answers: readonly { isLoading: boolean }[]): boolean {
  const [before, setBefore] = useState(false);
  const isLoaded = before || answers.every(({ isLoading }) => !isLoading);
  if (isLoaded && !before) setBefore(true);
  return isLoaded;
}
