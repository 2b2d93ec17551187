import { useEffect } from 'react';
import { createSignal } from '../signal';

interface Announcement {
  key: number;
  text: string;
  time: number;
}

/** The texts in the live region, which a screen reader announces. */
export const announced = createSignal<readonly Announcement[]>([]);

/** A text that disappears within this time is not announced. */
export const PAUSE_MS = 100;
/** How long a text stays in the live region. */
export const REMOVE_AFTER_MS = 2000;
/** If several components have the same text at the same time, it is announced once. */
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
 * Announces a text that has just appeared, through the live region of the layout. A live region
 * that is added together with its text is not announced by screen readers.
 */
export function useAnnounce(text: string | null): void {
  useEffect(() => {
    if (!text) return;
    const timer = setTimeout(() => announce(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
}
