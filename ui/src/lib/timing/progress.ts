import { useEffect, useState } from 'react';

export const PROGRESS_DURATION_MS = 5000;
export const PROGRESS_THROTTLE_MS = 200;
const TICK_MS = 100;
const FADE_MS = 300;

/**
 * Returns the progress of the bar in percent, after `elapsed` milliseconds. The length of a wait is
 * unknown, so the bar follows the time.
 */
export function progressAt(elapsed: number): number {
  return Math.max(0, Math.min(100, (elapsed / PROGRESS_DURATION_MS) * 100));
}

/**
 * Returns the progress in percent, or null while the bar is hidden. A wait shorter than the
 * throttle is not shown. At the end of a longer wait the bar is full for `FADE_MS`.
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
