import { useEffect } from 'react';
import { createSignal } from './signal';

interface Said {
  key: number;
  text: string;
  at: number;
}

/** What is being said to people who don't see the page. */
export const announced = createSignal<readonly Said[]>([]);

/** What is gone again sooner is not worth a word. */
export const PAUSE_MS = 100;
/** Long enough to be heard. */
export const SAID_MS = 2000;
/** Parts of a page that say the same at once are heard once. */
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
 * Says what has just come onto the page, by way of the shell: a live region that arrives with its
 * text isn't announced.
 */
export function useAnnounce(text: string | null): void {
  useEffect(() => {
    if (!text) return;
    const timer = setTimeout(() => say(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
}
