import { useEffect, useState } from 'react';
import { clearSnackbar, snackbar } from '../../lib/snackbar';
import { useSignal } from '../../lib/useSignal';
import classes from './Snackbar.module.css';

/** How long a message is shown. The time stops while the pointer or the focus is on it. */
export const SNACKBAR_MS = 10_000;

export function Snackbar() {
  const message = useSignal(snackbar);
  const [held, setHeld] = useState(false);

  useEffect(() => {
    if (!message || held) return;
    const timer = setTimeout(clearSnackbar, SNACKBAR_MS);
    return () => clearTimeout(timer);
  }, [message, held]);

  // The region is always in the page, because a live region that is added together with its text is
  // not announced.
  return (
    <div className={classes.region} role="status" aria-live="polite">
      {message && (
        // biome-ignore lint/a11y/noStaticElementInteractions: hovering only stops the time, it is no control
        <div
          key={message.key}
          className={classes.bar}
          onPointerEnter={() => setHeld(true)}
          onPointerLeave={() => setHeld(false)}
          onFocus={() => setHeld(true)}
          onBlur={() => setHeld(false)}
        >
          <span>{message.text}</span>
          <button
            type="button"
            className={classes.close}
            onClick={() => {
              setHeld(false);
              clearSnackbar();
            }}
          >
            Close
          </button>
        </div>
      )}
    </div>
  );
}
