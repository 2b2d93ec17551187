import { recordError } from '../lib/errors';
import { showSnackbar } from '../lib/messages/snackbar';
import { ApiError } from './client';
import { reasonOf } from './failure';

const TEXT = 'Something went wrong. Please check whether it was done before you try again.';

const ORIGINS = /(?:https?|[a-z-]*extension):\/\/[^/\s)]+/g;

/**
 * Checks whether foreign code failed, such as a tag or a browser extension. The error's stack then
 * names another origin.
 */
function isForeign(failure: unknown): boolean {
  const stack = failure instanceof Error ? (failure.stack ?? '') : '';
  return (stack.match(ORIGINS) ?? []).some((origin) => origin !== window.location.origin);
}

const isAbort = (failure: unknown) =>
  failure instanceof DOMException && failure.name === 'AbortError';

function showFailure(failure: unknown): void {
  if (isAbort(failure) || isForeign(failure)) return;
  const isRefusal = failure instanceof ApiError;
  if (!isRefusal) {
    recordError({ message: failure instanceof Error ? failure.message : String(failure) });
  }
  showSnackbar(isRefusal ? reasonOf(failure) : TEXT);
}

/**
 * Shows a message for each error that no code has caught. Ignores aborted calls and errors of
 * foreign code. Returns the function that stops these messages.
 */
export function reportUncaughtFailures(): () => void {
  const onRejection = ({ reason }: PromiseRejectionEvent) => showFailure(reason);
  // The browser's own reports, such as about its layout, have no error.
  const onError = ({ error }: ErrorEvent) => error && showFailure(error);
  window.addEventListener('unhandledrejection', onRejection);
  window.addEventListener('error', onError);
  return () => {
    window.removeEventListener('unhandledrejection', onRejection);
    window.removeEventListener('error', onError);
  };
}
