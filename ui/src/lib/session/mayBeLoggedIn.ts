import { writeStored } from '../storage/storage';

/** A storage key whose change tells other tabs about a login or logout. */
export const SIGNAL = 'layby.session';

/** Notifies other tabs of a login or logout. The stored value stays. */
export function notifyOtherTabs(): void {
  writeStored(SIGNAL, crypto.randomUUID());
}

/** The cookie that the server sets and deletes with the session's cookie. It holds no secret. */
const HINT = 'layby_logged_in=';

/** Checks whether the visitor may be logged in. Scripts can't read the session's cookie. */
export const mayBeLoggedIn = (): boolean => document.cookie.includes(HINT);

/** Deletes the hint after the server has found no session. */
export function forgetLogin(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and Safari
  document.cookie = `${HINT}; Path=/; Max-Age=-1`;
}
