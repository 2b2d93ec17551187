/** A page that is not on screen draws no frame, and goes on after this many milliseconds. */
const UNSEEN_MS = 1000;

/** Calls, once, when the browser has drawn what came with the page. */
export function afterFirstPaint(work: () => void): void {
  // The frame is drawn right after this is called: what is put off once more comes after it.
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer);
    setTimeout(work);
  });
  // A tab that is brought to the front later draws its frame then.
  const timer = setTimeout(() => {
    cancelAnimationFrame(frame);
    work();
  }, UNSEEN_MS);
}
