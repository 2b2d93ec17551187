import type { ReactNode } from 'react';
import classes from './RowText.module.css';

/** Shows a small text of a row, on its own line. */
export function MinorText({ children }: { children: ReactNode }) {
  return <span className={classes.minor}>{children}</span>;
}

export function ReferenceText({ reference, product }: { reference: string; product: string }) {
  return (
    <>
      <span className={classes.reference}>{reference}</span> <MinorText>{product}</MinorText>
    </>
  );
}
