/** The longest wait for an idle browser, in milliseconds. */
const MAX_WAIT_MS = 200;

/**
 * Calls `work` when the browser is idle, or after the longest wait. Returns the function that
 * cancels the call.
 */
export function onIdle(work: () => void): () => void {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(work);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(work, { timeout: MAX_WAIT_MS });
  return () => cancelIdleCallback(handle);
}
