import type { ReactNode } from 'react';
import classes from './PriceBoxes.module.css';

interface Props {
  prices: { label: string; figure: ReactNode; isHighlighted?: boolean }[];
}

/** Shows prices side by side. The price to pay is highlighted. */
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
