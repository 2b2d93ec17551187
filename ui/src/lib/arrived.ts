import { useState } from 'react';

/**
 * Whether every answer a page is made of has arrived, or failed to. It is shown whole, so that
 * nothing moves away from under a finger; what was shown once stays while more is asked for.
 */
export function useArrived(answers: readonly { isLoading: boolean }[]): boolean {
  const [before, setBefore] = useState(false);
  const arrived = before || answers.every(({ isLoading }) => !isLoading);
  if (arrived && !before) setBefore(true);
  return arrived;
}
