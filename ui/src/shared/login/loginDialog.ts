import { saveFocus } from '../../lib/focusRestore';
import { clearSnackbar } from '../../lib/messages/snackbar';
import { createSignal } from '../../lib/signal';

export type LoginDialogMode = 'login' | 'change' | 'reset';

/**
 * A request to log in. `key` changes with every request, so that the dialog keeps no state of an
 * earlier request.
 */
export interface LoginRequest {
  key: number;
  mode: LoginDialogMode;
  /** The uuid of the quote on the screen. Its unsaved changes stay during the login. */
  quote?: string;
  /** The initial username, if it is known. */
  username?: string;
  answer: (loggedIn: boolean) => void;
}

export const loginRequest = createSignal<LoginRequest | null>(null);

let count = 0;

/**
 * Opens the login dialog over the page. Resolves whether somebody is logged in when the dialog
 * closes. Resolves false if another request replaces the dialog.
 */
export function askToLogin(
  request: { mode?: LoginDialogMode; quote?: string; username?: string } = {},
): Promise<boolean> {
  loginRequest.get()?.answer(false);
  const restoreFocus = saveFocus();
  // The snackbar would cover the dialog.
  clearSnackbar();
  return new Promise((resolve) => {
    count += 1;
    loginRequest.set({
      key: count,
      mode: request.mode ?? 'login',
      quote: request.quote,
      username: request.username,
      answer: (loggedIn) => {
        loginRequest.set(null);
        restoreFocus();
        resolve(loggedIn);
      },
    });
  });
}
