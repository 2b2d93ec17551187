import type { Location } from 'react-router';

/** What the router calls every address that was typed or opened from elsewhere. */
const UNNAMED = 'default';

/** The name of the history's present entry, which is kept in the entry itself. */
function nameEntry(): string {
  const state = (window.history.state ?? {}) as Record<string, unknown>;
  if (typeof state.entry === 'string') return state.entry;
  const entry = crypto.randomUUID();
  window.history.replaceState({ ...state, entry }, '');
  return entry;
}

/**
 * Names the history's entries, under whose names scroll positions are kept. The router gives all
 * typed addresses of a tab one name, so that each would open where another was left; here each has
 * its own. A reload and the browser's Back find the same name again.
 */
export function createScrollKey(): (location: Location) => string {
  let typed: string | null = null;
  return ({ key }) => {
    if (key !== UNNAMED) return key;
    typed ??= nameEntry();
    return typed;
  };
}
