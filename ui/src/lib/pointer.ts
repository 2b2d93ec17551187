/** Whether a button or a finger is down: what it points at must not move before it is let go. */
let down = false;
let waiting: (() => void)[] = [];

function press(): void {
  down = true;
}

function release(): void {
  down = false;
  // The click comes after the release, in the same task.
  for (const work of waiting) setTimeout(work, 0);
  waiting = [];
}

// A finger's tap is told twice: as a pointer, and after that as a mouse, which moves the focus.
for (const type of ['pointerdown', 'mousedown']) window.addEventListener(type, press, true);
// Over a menu of the browser's own nothing is released; the next key says that nothing is held.
for (const type of ['pointerup', 'mouseup', 'pointercancel', 'keydown']) {
  window.addEventListener(type, release, true);
}

/** Does at once what may move the page, or after the click that is under way. */
export function afterClick(work: () => void): void {
  if (down) waiting.push(work);
  else work();
}
