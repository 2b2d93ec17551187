import type { KeyboardEvent } from 'react';

/** A disabled button swallows Enter without a word; this says what is missing instead. */
export function submitOnEnter(valid: boolean, tell: () => void) {
  return (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !valid && event.target instanceof HTMLInputElement) tell();
  };
}
