import { useSyncExternalStore } from 'react';

const REFRESH_MS = 60_000;

let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function tick() {
  now = Date.now();
  for (const listener of listeners) listener();
}

// One timer for the whole page, so that all relative times change at the same moment.
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) {
    now = Date.now();
    timer = setInterval(tick, REFRESH_MS);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

/** The present time; the component is drawn again each minute. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}
