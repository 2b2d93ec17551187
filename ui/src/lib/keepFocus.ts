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
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    }, 0);
  };
}
