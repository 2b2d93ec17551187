import { useEffect } from 'react';
import { createSignal } from '../signal';

interface Announcement {
  key: number;
  text: string;
  time: number;
}

/** The texts in the live region, which screen readers announce. */
export const announced = createSignal<readonly Announcement[]>([]);

/** How long a text must be on the page before it is announced, in milliseconds. */
export const PAUSE_MS = 100;
/** How long a text stays in the live region, in milliseconds. */
export const REMOVE_AFTER_MS = 2000;
/** How long a repeated text is not announced again, in milliseconds. */
const DUPLICATE_WINDOW_MS = 300;

let count = 0;

function announce(text: string): void {
  const time = Date.now();
  if (announced.get().some((each) => each.text === text && time - each.time < DUPLICATE_WINDOW_MS))
    return;
  count += 1;
  const entry: Announcement = { key: count, text, time };
  announced.set([...announced.get(), entry]);
  setTimeout(
    () => announced.set(announced.get().filter((each) => each !== entry)),
    REMOVE_AFTER_MS,
  );
}

/**
 * Announces a new text through the live region of the layout. Screen readers ignore a live region
 * that is added together with its text.
 */
export function useAnnounce(text: string | null): void {
  useEffect(() => {
    if (!text) return;
    const timer = setTimeout(() => announce(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
}
