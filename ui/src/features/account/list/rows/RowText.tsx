import type { ReactNode } from 'react';
import type { ListItem } from '../../../../api/types';
import classes from './RowText.module.css';

/** Shows a small text of a row, on its own line. */
export function MinorText({ children }: { children: ReactNode }) {
  return <span className={classes.minor}>{children}</span>;
}

/** Shows a reference, and below it the product and what is covered. */
export function ReferenceText({ item }: { item: ListItem }) {
  const cover = [item.product_short_title, ...item.cover].join(', ');
  return (
    <>
      <span className={classes.reference}>{item.custom_id}</span> <MinorText>{cover}</MinorText>
    </>
  );
}
