export const MINIMUM_FETCH_MS = 200;

/** Holds a quick answer back so that a spinner never flashes for an instant. */
export async function atLeast<T>(work: Promise<T>, ms = MINIMUM_FETCH_MS): Promise<T> {
  const pause = new Promise<void>((resolve) => setTimeout(resolve, ms));
  const [outcome] = await Promise.allSettled([work, pause]);
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}
