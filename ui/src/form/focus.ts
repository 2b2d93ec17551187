import { placeOf } from './answers';
import { controlId } from './FormContext';

/** Brings the control at a path into view and gives it focus; failing that, its card. */
export function focusPath(path: string): boolean {
  const place = placeOf(path);
  const card = `card-${place.dataset ?? place.field}`;
  const target = document.getElementById(controlId(path)) ?? document.getElementById(card);
  if (!target) return false;
  const frame = target.closest('[data-cell]') ?? target;
  frame.scrollIntoView({ block: 'center' });
  target.focus({ preventScroll: true });
  return true;
}

/** As `focusPath`, once what has just changed is on screen. */
export function focusPathSoon(path: string): void {
  requestAnimationFrame(() => requestAnimationFrame(() => focusPath(path)));
}
