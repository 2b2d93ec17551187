export const MINIMUM_FETCH_MS = 200;

/** Delays a result until `ms` milliseconds have passed, so that a loading sign does not flash. */
export async function withMinDelay<T>(work: Promise<T>, ms = MINIMUM_FETCH_MS): Promise<T> {
  const delay = new Promise<void>((resolve) => setTimeout(resolve, ms));
  const [outcome] = await Promise.allSettled([work, delay]);
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}
