/** A busy browser goes on after this time, in milliseconds. */
const MAX_WAIT_MS = 200;

/**
 * Calls `work` once the browser has painted and is idle. Returns the function that cancels the
 * call.
 */
export function onIdle(work: () => void): () => void {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(work);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(work, { timeout: MAX_WAIT_MS });
  return () => cancelIdleCallback(handle);
}
