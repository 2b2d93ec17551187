import type { ReactNode } from 'react';
import classes from './PriceBoxes.module.css';

interface Props {
  prices: { label: string; figure: ReactNode; isHighlighted?: boolean }[];
}

/** Shows labelled prices side by side. */
export function PriceBoxes({ prices }: Props) {
  return (
    <dl className={`tabular ${classes.prices}`}>
      {prices.map(({ label, figure, isHighlighted }) => (
        <div key={label} data-highlight={isHighlighted || undefined}>
          <dt>{label}</dt>
          <dd>{figure}</dd>
        </div>
      ))}
    </dl>
  );
}
