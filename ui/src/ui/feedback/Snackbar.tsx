import { useEffect, useState } from 'react';
import { clearSnackbar, type SnackbarMessage, snackbar } from '../../lib/messages/snackbar';
import { useSignal } from '../../lib/useSignal';
import classes from './Snackbar.module.css';

/**
 * How long a message is shown, in milliseconds. The time starts again when the pointer or the focus
 * leaves the message.
 */
export const SNACKBAR_MS = 10_000;

/**
 * Shows a message. Each message has its own component state, because a message that is removed
 * under the pointer sends no event.
 */
function Message({ message }: { message: SnackbarMessage }) {
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const isHeld = hovered || focused;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a message that stays for the next page begins anew
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(clearSnackbar, SNACKBAR_MS);
    return () => clearTimeout(timer);
  }, [message, isHeld]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only stops the time, it is no control
    <div
      className={classes.bar}
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <span>{message.text}</span>
      <button type="button" className={classes.close} onClick={clearSnackbar}>
        Close
      </button>
    </div>
  );
}

export function Snackbar() {
  const message = useSignal(snackbar);
  // The region is always in the page, because screen readers ignore a live region that is added
  // with its text.
  return (
    <div className={`screenOnly ${classes.region}`} role="status" aria-live="polite">
      {message && <Message key={message.key} message={message} />}
    </div>
  );
}
