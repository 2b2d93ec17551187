import type { KeyboardEvent } from 'react';

/**
 * Handles Enter while the submit button is disabled: the browser would do nothing, this shows what
 * is missing.
 */
export function submitOnEnter(valid: boolean, tell: () => void) {
  return (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !valid && event.target instanceof HTMLInputElement) tell();
  };
}
