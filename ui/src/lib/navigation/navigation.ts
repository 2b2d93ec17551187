import { createContext, useContext } from 'react';
import type { Location, NavigateOptions, To } from 'react-router';

/** Goes to an address of the website; ends when its page is shown. */
export type Go = (to: To, options?: NavigateOptions) => Promise<void>;

/** What pages are told of the way from one to the next. */
export interface Navigation {
  /** Whether the next page is being loaded. */
  loading: boolean;
  /** Whether the page stays where it is scrolled to. */
  keepsScroll: boolean;
  /** Calls this while a page is still shown that is about to be left; returns what ends it. */
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

/** Returns what goes to another page. Unlike the router's `useNavigate` it can be awaited. */
export const useGo = () => useNavigation().go;
