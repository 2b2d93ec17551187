import { createContext, useContext } from 'react';
import type { Location } from 'react-router';

/** What the layout is told of the way from page to page. */
export interface Underway {
  /** Whether the next page is being loaded. */
  loading: boolean;
  /** Whether the page stays where it is scrolled to. */
  keepsScroll: boolean;
  /** Calls this while a page is still shown that is about to be left; returns what ends it. */
  whenLeaving: (leave: (from: Location) => void) => () => void;
}

const UnderwayContext = createContext<Underway>({
  loading: false,
  keepsScroll: false,
  whenLeaving: () => () => {},
});

export const UnderwayProvider = UnderwayContext.Provider;

export const useUnderway = () => useContext(UnderwayContext);
