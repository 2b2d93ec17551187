import { useEffect, useRef } from 'react';

/**
 * Remembers the focused element before a dialog opens. The returned function gives the focus back,
 * unless another element has it by then. Mantine's own way works only for a dialog that is mounted
 * before it opens.
 */
export function saveFocus(): () => void {
  const before = document.activeElement;
  return () => {
    // The dialog is removed only after the present task.
    setTimeout(() => {
      if (document.activeElement !== document.body) return;
      if (before instanceof HTMLElement && before.isConnected)
        before.focus({ preventScroll: true });
    }, 0);
  };
}

/**
 * The same for a form that is inert while a call runs: being inert, it loses the focus of the field
 * in which Enter was pressed. Call the returned function before the form becomes inert.
 */
export function useRestoredFocus(working: boolean): () => void {
  const restoreFocus = useRef<(() => void) | null>(null);
  useEffect(() => {
    if (working) return;
    restoreFocus.current?.();
    restoreFocus.current = null;
  }, [working]);
  return () => {
    restoreFocus.current = saveFocus();
  };
}
