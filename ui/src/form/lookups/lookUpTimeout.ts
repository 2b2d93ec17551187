/**
 * The time limit of a look-up, in milliseconds. After that time the visitor goes on without a
 * result.
 */
export const LOOK_UP_MS = 2000;

export interface Deadline {
  signal: AbortSignal;
  /** Returns the result of `work`. Throws if the time limit passes or `end` is called first. */
  inTime: <T>(work: Promise<T>) => Promise<T>;
  /** Stops the timer and cancels the look-up. */
  end: () => void;
}

/** Starts the time limit of a look-up. */
export function lookUpDeadline(): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  const timer = setTimeout(() => controller.abort(), LOOK_UP_MS);
  return {
    signal,
    inTime: (work) =>
      Promise.race([
        work,
        new Promise<never>((_, fail) => {
          signal.addEventListener('abort', () => fail(signal.reason), { once: true });
        }),
      ]),
    end: () => {
      clearTimeout(timer);
      controller.abort();
    },
  };
}
