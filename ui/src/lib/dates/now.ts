import { useSyncExternalStore } from 'react';
import { todayInLondon, toIsoDate } from './dates';

const REFRESH_MS = 60_000;

let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function tick() {
  now = Date.now();
  for (const listener of listeners) listener();
}

// All components share one timer, so that all relative times change together.
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) {
    now = Date.now();
    timer = setInterval(tick, REFRESH_MS);
    // A background page, or a device that slept, has missed ticks.
    document.addEventListener('visibilitychange', tick);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    document.removeEventListener('visibilitychange', tick);
  };
}

/**
 * Returns the time at the last tick, in milliseconds since 1970. The component renders again each
 * minute.
 */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

/** Returns today in London, `yyyy-MM-dd`. The component renders again on the next day. */
export function useToday(): string {
  return useSyncExternalStore(subscribe, () => toIsoDate(todayInLondon()));
}
