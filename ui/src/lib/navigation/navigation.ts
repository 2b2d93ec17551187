import { createContext, useContext } from 'react';
import type { Location, NavigateOptions, To } from 'react-router';

/** Goes to an address of the website. Resolves when its page is shown. */
export type Go = (to: To, options?: NavigateOptions) => Promise<void>;

/** The state of the navigation, for pages. */
export interface Navigation {
  /** Whether the next page is being loaded. */
  loading: boolean;
  /** Whether the page keeps its scroll position. */
  keepsScroll: boolean;
  /** Adds a listener that runs before a page is left. Returns the function that removes it. */
  onLeave: (leave: (from: Location) => void) => () => void;
  go: Go;
}

const NavigationContext = createContext<Navigation>({
  loading: false,
  keepsScroll: false,
  onLeave: () => () => {},
  go: () => Promise.resolve(),
});

export const NavigationProvider = NavigationContext.Provider;

export const useNavigation = () => useContext(NavigationContext);

/**
 * Returns the function that goes to another page. The returned function gives a promise, unlike the
 * function of the router's `useNavigate`.
 */
export const useGo = () => useNavigation().go;
