import type { ReactNode } from 'react';
import classes from './PriceBoxes.module.css';

interface Props {
  prices: { label: string; figure: ReactNode; isHighlighted?: boolean }[];
}

/** Prices side by side. The one to pay stands out. */
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
