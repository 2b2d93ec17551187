/** A look-up has this long; then the visitor goes on without it. */
export const LOOK_UP_MS = 2000;

export interface Deadline {
  signal: AbortSignal;
  /** What was asked, or a failure once the time is over or nobody waits for it. */
  inTime: <T>(work: Promise<T>) => Promise<T>;
  /** Nobody waits for it any more. */
  end: () => void;
}

/** The time that a look-up has, from now on. */
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
