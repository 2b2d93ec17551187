import { useMatches } from 'react-router';

export interface RouteHandle {
  /** Hides the links of the layout, for the payment pages. */
  withoutLinks?: boolean;
}

export function useWithoutLinks(): boolean {
  return useMatches().some(
    (match) => (match.handle as RouteHandle | undefined)?.withoutLinks === true,
  );
}
