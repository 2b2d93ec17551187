/** The longest wait for a frame, in milliseconds. A page in the background draws no frame. */
const UNSEEN_MS = 1000;

/** Calls `work` once: after the browser has painted the document, or after the longest wait. */
export function afterFirstPaint(work: () => void): void {
  // The paint follows this callback, so `work` waits for the next task.
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer);
    setTimeout(work);
  });
  // A background tab paints later, when it is brought to the front.
  const timer = setTimeout(() => {
    cancelAnimationFrame(frame);
    work();
  }, UNSEEN_MS);
}
