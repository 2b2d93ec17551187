import { useClickOutside } from '@mantine/hooks';
import { type ReactNode, useId, useRef, useState } from 'react';
import { ChevronIcon } from '../ui/icons/icons';
import classes from './Dropdown.module.css';

interface Props {
  label: ReactNode;
  className?: string;
  children: (close: () => void) => ReactNode;
}

/**
 * Shows a button and its panel. Escape closes the panel and focuses the button. A click outside or
 * a move of the focus outside also closes the panel.
 */
export function Dropdown({ label, className, children }: Props) {
  const [open, setOpen] = useState(false);
  const panel = useId();
  const button = useRef<HTMLButtonElement>(null);
  const root = useClickOutside<HTMLDivElement>(() => setOpen(false));

  function close() {
    setOpen(false);
    button.current?.focus();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: listens to Escape of the controls inside
    <div
      ref={root}
      className={className ? `${classes.root} ${className}` : classes.root}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && open) {
          event.stopPropagation();
          close();
        }
      }}
      onBlur={(event) => {
        const next = event.relatedTarget;
        if (next instanceof Node && !event.currentTarget.contains(next)) setOpen(false);
      }}
    >
      <button
        ref={button}
        type="button"
        className={classes.button}
        aria-expanded={open}
        aria-controls={open ? panel : undefined}
        onClick={() => setOpen(!open)}
      >
        {label}
        <span className={classes.chevron}>
          <ChevronIcon size={16} />
        </span>
      </button>
      {open && (
        <div id={panel} className={classes.panel}>
          {children(close)}
        </div>
      )}
    </div>
  );
}
