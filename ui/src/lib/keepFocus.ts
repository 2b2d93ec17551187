import { useEffect, useRef } from 'react';

/**
 * Remembers what has the focus before a dialog takes it, and gives it back afterwards unless
 * something else has it by then. Mantine's own way needs a dialog that is there before it opens.
 */
export function keepFocus(): () => void {
  const before = document.activeElement;
  return () => {
    // The dialog is gone only when what is running now is over.
    setTimeout(() => {
      if (document.activeElement !== document.body) return;
      if (before instanceof HTMLElement && before.isConnected)
        before.focus({ preventScroll: true });
    }, 0);
  };
}

/**
 * The same for a form that is inert while it is at work, which takes the focus from the field in
 * which Enter was pressed. What it gives is called before that.
 */
export function useKeptFocus(working: boolean): () => void {
  const giveBack = useRef<(() => void) | null>(null);
  useEffect(() => {
    if (working) return;
    giveBack.current?.();
    giveBack.current = null;
  }, [working]);
  return () => {
    giveBack.current = keepFocus();
  };
}
