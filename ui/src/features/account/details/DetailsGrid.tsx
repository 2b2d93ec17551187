import type { ReactNode } from 'react';
import classes from './DetailsGrid.module.css';

/** Places fields side by side. A child with `data-wide` takes a whole line. */
export function DetailsGrid({ children }: { children: ReactNode }) {
  return <div className={classes.grid}>{children}</div>;
}
