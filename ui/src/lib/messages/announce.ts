import { useEffect } from 'react';
import { createSignal } from '../signal';

interface Announcement {
  key: number;
  text: string;
  at: number;
}

/** The texts in the live region, which a screen reader announces. */
export const announced = createSignal<readonly Announcement[]>([]);

/** A text that disappears within this time is not announced. */
export const PAUSE_MS = 100;
/** How long a text stays in the live region. */
export const SAID_MS = 2000;
/** If several components have the same text at the same time, it is announced once. */
const AT_ONCE_MS = 300;

let count = 0;

function say(text: string): void {
  const at = Date.now();
  if (announced.get().some((each) => each.text === text && at - each.at < AT_ONCE_MS)) return;
  count += 1;
  const said = { key: count, text, at };
  announced.set([...announced.get(), said]);
  setTimeout(() => announced.set(announced.get().filter((each) => each !== said)), SAID_MS);
}

/**
 * Announces a text that has just appeared, through the live region of the layout. A live region
 * that is added together with its text is not announced by screen readers.
 */
export function useAnnounce(text: string | null): void {
  useEffect(() => {
    if (!text) return;
    const timer = setTimeout(() => say(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
}
