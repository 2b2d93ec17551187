/** A busy browser goes on after this many milliseconds all the same. */
const MAX_WAIT_MS = 200;

/** Calls once the browser has drawn what there is, and has nothing else to do. */
export function onIdle(work: () => void): () => void {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(work);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(work, { timeout: MAX_WAIT_MS });
  return () => cancelIdleCallback(handle);
}
