import { createSignal } from '../signal';

/** `key` changes with every message, so that a screen reader announces a repeated text again. */
export interface SnackbarMessage {
  key: number;
  text: string;
  /** Whether the message belongs to the next page. */
  showsOnNextPage: boolean;
}

export const snackbar = createSignal<SnackbarMessage | null>(null);

let count = 0;

function show(text: string, showsOnNextPage: boolean): void {
  count += 1;
  snackbar.set({ key: count, text, showsOnNextPage });
}

/** Shows a message, at the longest until the visitor leaves this page. */
export function showSnackbar(text: string): void {
  show(text, false);
}

/** Shows a message, at the longest until the visitor leaves the next page. */
export function showSnackbarAhead(text: string): void {
  show(text, true);
}

export function clearSnackbar(): void {
  snackbar.set(null);
}

/** Removes the message of the page that was left. A message of the next page stays. */
export function leaveSnackbar(): void {
  const message = snackbar.get();
  if (message)
    snackbar.set(message.showsOnNextPage ? { ...message, showsOnNextPage: false } : null);
}
