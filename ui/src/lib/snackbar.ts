import { createSignal } from './signal';

/** `key` changes with every message, so that a screen reader announces a repeated text again. */
export interface SnackbarMessage {
  key: number;
  text: string;
}

export const snackbar = createSignal<SnackbarMessage | null>(null);

let count = 0;

export function showSnackbar(text: string): void {
  count += 1;
  snackbar.set({ key: count, text });
}

export function clearSnackbar(): void {
  snackbar.set(null);
}
