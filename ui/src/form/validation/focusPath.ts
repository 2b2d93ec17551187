import { placeOf } from '../answers/answers';
import { controlId } from '../state/FormContext';

/**
 * Scrolls to the control at a path and focuses it. If there is no control, scrolls to the card and
 * focuses its title. Returns false if there is neither a control nor a card.
 */
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

/** Calls `focusPath` after two frames, when the latest changes are rendered. */
export function focusPathSoon(path: string): void {
  requestAnimationFrame(() => requestAnimationFrame(() => focusPath(path)));
}

/** Scrolls an element into view and focuses it. */
export function focusId(id: string): void {
  const target = document.getElementById(id);
  target?.scrollIntoView({ block: 'center' });
  target?.focus({ preventScroll: true });
}
