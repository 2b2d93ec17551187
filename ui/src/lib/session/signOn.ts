import { paths } from '../routes/paths';
import { readStored, writeStored } from '../storage/storage';

/**
 * Returns a path of this site, or null for any other text. A browser reads `//host` and `/\host` as
 * another site, and ignores control characters.
 */
export function safePath(value: string | null | undefined): string | null {
  if (!value?.startsWith('/')) return null;
  if (value.startsWith('//') || value.includes('\\')) return null;
  return [...value].some((letter) => letter < ' ') ? null : value;
}

/** Returns the address of the login page. Its parameter `state` is the page to return to. */
export function signOnAddress(signOn: string, current: string): string {
  const state = safePath(current) ?? paths.home();
  const [address = '', ...fragment] = signOn.split('#');
  const joint = address.includes('?') ? '&' : '?';
  return [`${address}${joint}state=${encodeURIComponent(state)}`, ...fragment].join('#');
}

// A visitor may return from another site's login without a session. A second redirect within a
// minute would be a loop, so the website then shows its own login.

/** The shortest time between two redirects to another site's login page, in milliseconds. */
export const REDIRECT_WINDOW_MS = 60_000;
const KEY = 'layby.signedOn';

/** Checks whether the login page is on another site. */
export function isExternal(signOn: string): boolean {
  return new URL(signOn, window.location.origin).origin !== window.location.origin;
}

/** Checks whether this tab was redirected to another site's login page within the last minute. */
export function wasRedirected(now = Date.now()): boolean {
  const last = readStored<number>(KEY, 'session');
  return typeof last === 'number' && now - last < REDIRECT_WINDOW_MS;
}

/**
 * Records a redirect to another site's login page. Returns false if such a redirect happened within
 * the last minute, or if nothing can be stored.
 */
export function markRedirected(now = Date.now()): boolean {
  return !wasRedirected(now) && writeStored(KEY, now, 'session');
}
