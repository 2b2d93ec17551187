import { useEffect, useState } from 'react';

export const PROGRESS_DURATION_MS = 5000;
export const PROGRESS_THROTTLE_MS = 200;
const TICK_MS = 100;
const FADE_MS = 300;

/** How far the bar is: nobody knows how long a page takes, so it moves with the clock. */
export function progressAt(elapsed: number): number {
  return Math.max(0, Math.min(100, (elapsed / PROGRESS_DURATION_MS) * 100));
}

/**
 * Null while there is nothing to show. A wait shorter than the throttle never shows; the end
 * of a longer one fills the bar for an instant.
 */
export function useSimulatedProgress(busy: boolean): number | null {
  const [value, setValue] = useState<number | null>(null);

  useEffect(() => {
    if (!busy) {
      setValue((last) => (last === null ? null : 100));
      const fade = setTimeout(() => setValue(null), FADE_MS);
      return () => clearTimeout(fade);
    }
    let tick: ReturnType<typeof setInterval> | undefined;
    const start = Date.now();
    const throttle = setTimeout(() => {
      setValue(progressAt(Date.now() - start));
      tick = setInterval(() => setValue(progressAt(Date.now() - start)), TICK_MS);
    }, PROGRESS_THROTTLE_MS);
    return () => {
      clearTimeout(throttle);
      clearInterval(tick);
    };
  }, [busy]);

  return value;
}
