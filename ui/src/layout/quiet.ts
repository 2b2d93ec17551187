import { useMatches } from 'react-router';

export interface RouteHandle {
  /** Hides the links of the layout, for the payment pages. */
  quiet?: boolean;
}

export function useQuiet(): boolean {
  return useMatches().some((match) => (match.handle as RouteHandle | undefined)?.quiet === true);
}
