import { useMatches } from 'react-router';

export interface RouteHandle {
  /** Nothing to click but what the page itself offers: paying is no time for detours. */
  quiet?: boolean;
}

export function useQuiet(): boolean {
  return useMatches().some((match) => (match.handle as RouteHandle | undefined)?.quiet === true);
}
