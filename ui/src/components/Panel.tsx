import { type ReactNode, useId } from 'react';
import classes from './Panel.module.css';

interface Props {
  title?: string;
  className?: string;
  children: ReactNode;
}

/** One card of a page, named by its heading. */
export function Panel({ title, className, children }: Props) {
  const heading = useId();
  return (
    <section
      className={className ? `${classes.panel} ${className}` : classes.panel}
      aria-labelledby={title ? heading : undefined}
    >
      {title && (
        <h2 id={heading} className={classes.title}>
          {title}
        </h2>
      )}
      {children}
    </section>
  );
}
