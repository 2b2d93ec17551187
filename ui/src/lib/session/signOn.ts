import { paths } from '../routes/paths';
import { readStored, writeStored } from '../storage/storage';

/**
 * Accepts only a path of this site. A browser reads `//host` and `/\host` as another site, and
 * drops control characters inside an address before it reads the rest.
 */
export function safePath(value: string | null | undefined): string | null {
  if (!value?.startsWith('/')) return null;
  if (value.startsWith('//') || value.includes('\\')) return null;
  return [...value].some((letter) => letter < ' ') ? null : value;
}

/** The address of the login page; the parameter `state` is the page to return to. */
export function signOnAddress(signOn: string, current: string): string {
  const state = safePath(current) ?? paths.home();
  const [address = '', ...fragment] = signOn.split('#');
  const joint = address.includes('?') ? '&' : '?';
  return [`${address}${joint}state=${encodeURIComponent(state)}`, ...fragment].join('#');
}

// Another site's login is not one of ours, so a visitor may come back from there as they left. A
// second way there within a minute would be a loop: our own login card is shown instead.

/** How long a visitor who comes back from another site's login page is not sent there again. */
export const REDIRECT_WINDOW_MS = 60_000;
const KEY = 'layby.signedOn';

/** Whether the login page is on another site. */
export function isExternal(signOn: string): boolean {
  return new URL(signOn, window.location.origin).origin !== window.location.origin;
}

/** Whether this tab was sent to another site's login page within the last minute. */
export function wasRedirected(now = Date.now()): boolean {
  const last = readStored<number>(KEY, 'session');
  return typeof last === 'number' && now - last < REDIRECT_WINDOW_MS;
}

/**
 * Notes that this tab is being sent to another site's login page; false where that is refused: it
 * was sent there within the last minute, or nothing can be noted, so that a loop would go unseen.
 */
export function markRedirected(now = Date.now()): boolean {
  return !wasRedirected(now) && writeStored(KEY, now, 'session');
}
