import { keepFocus } from './keepFocus';
import { createSignal } from './signal';
import { clearSnackbar } from './snackbar';

export type LoginDialogMode = 'login' | 'change' | 'reset';

/** `key` changes with every request: a dialog asked for anew begins anew. */
export interface LoginRequest {
  key: number;
  mode: LoginDialogMode;
  /** The quote on the screen, whose unsaved changes stay there through the login. */
  quote?: string;
  answer: (loggedIn: boolean) => void;
}

export const loginRequest = createSignal<LoginRequest | null>(null);

let count = 0;

/** Opens the shared login dialog over whatever is on the screen; true once somebody is logged in. */
export function askToLogin(
  request: { mode?: LoginDialogMode; quote?: string } = {},
): Promise<boolean> {
  loginRequest.get()?.answer(false);
  const giveBack = keepFocus();
  // A message would lie over the dialog.
  clearSnackbar();
  return new Promise((resolve) => {
    count += 1;
    loginRequest.set({
      key: count,
      mode: request.mode ?? 'login',
      quote: request.quote,
      answer: (loggedIn) => {
        loginRequest.set(null);
        giveBack();
        resolve(loggedIn);
      },
    });
  });
}
