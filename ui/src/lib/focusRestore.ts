import { useEffect, useRef } from 'react';

/**
 * Stores the focused element before a dialog opens. The returned function restores the focus,
 * unless another element has it. Mantine restores the focus only for a dialog that is mounted
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
 * Restores the focus in a form that is inert during a call, and so loses the focus. Call the
 * returned function before the form becomes inert.
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
