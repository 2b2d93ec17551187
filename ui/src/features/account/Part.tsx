import { type ReactNode, useId } from 'react';
import classes from './Overview.module.css';

/** A part of a card that opens within it; its heading is its accessible name. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  const heading = useId();
  return (
    <section className={classes.part} aria-labelledby={heading}>
      <h3 id={heading} className={classes.title}>
        {title}
      </h3>
      {children}
    </section>
  );
}
