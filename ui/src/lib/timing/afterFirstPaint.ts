/** A background page draws no frame. It goes on after this time, in milliseconds. */
const UNSEEN_MS = 1000;

/** Calls `work` once after the browser has painted the content of the document. */
export function afterFirstPaint(work: () => void): void {
  // The paint follows this call, so the work waits for the next task.
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
