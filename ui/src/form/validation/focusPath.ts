import { placeOf } from '../answers/answers';
import { controlId } from '../state/FormContext';

export const ERROR_SUMMARY_ID = 'error-summary';

/**
 * Scrolls to the control at a path and focuses it. If there is no control, scrolls to the card and
 * focuses its title. With `toSummary`, focuses the error summary instead, and scrolls to it as far
 * as the control stays in view. Returns false if there is neither a control nor a card.
 */
export function focusPath(path: string, toSummary = false): boolean {
  const place = placeOf(path);
  const card = `card-${place.dataset ?? place.field}`;
  const target = document.getElementById(controlId(path)) ?? document.getElementById(card);
  if (!target) return false;
  const summary = toSummary ? document.getElementById(ERROR_SUMMARY_ID) : null;
  summary?.scrollIntoView();
  const frame = target.closest('[data-cell]') ?? target;
  frame.scrollIntoView({ block: summary ? 'nearest' : 'center' });
  (summary ?? target).focus({ preventScroll: true });
  return true;
}

/** Calls `focusPath` after two frames, when the latest changes are rendered. */
export function focusPathSoon(path: string, toSummary?: boolean): void {
  requestAnimationFrame(() => requestAnimationFrame(() => focusPath(path, toSummary)));
}

/** Scrolls an element into view and focuses it. */
export function focusId(id: string): void {
  const target = document.getElementById(id);
  target?.scrollIntoView({ block: 'center' });
  target?.focus({ preventScroll: true });
}
