import type { ReactNode } from 'react';
import classes from './PriceBoxes.module.css';

interface Props {
  prices: { label: string; figure: ReactNode; ours?: boolean }[];
}

/** Prices side by side; the one that would be paid stands out. */
export function PriceBoxes({ prices }: Props) {
  return (
    <dl className={`tabular ${classes.prices}`}>
      {prices.map(({ label, figure, ours }) => (
        <div key={label} data-ours={ours || undefined}>
          <dt>{label}</dt>
          <dd>{figure}</dd>
        </div>
      ))}
    </dl>
  );
}
