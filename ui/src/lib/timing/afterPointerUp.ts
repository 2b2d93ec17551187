/**
 * Whether a mouse button or a finger is down. The pressed control must not move before the release,
 * or the click would miss it.
 */
let down = false;
let queue: (() => void)[] = [];

function press(): void {
  down = true;
}

function release(): void {
  down = false;
  // The browser sends the click after the release, in the same task.
  for (const work of queue) setTimeout(work, 0);
  queue = [];
}

// A tap sends pointer events and then mouse events. The mouse events move the focus.
for (const type of ['pointerdown', 'mousedown']) window.addEventListener(type, press, true);
// A release over a browser menu is not reported, so a pressed key counts as a release.
for (const type of ['pointerup', 'mouseup', 'pointercancel', 'keydown']) {
  window.addEventListener(type, release, true);
}

/** Runs work that may move the page: immediately, or after the click in progress. */
export function afterPointerUp(work: () => void): void {
  if (down) queue.push(work);
  else work();
}
