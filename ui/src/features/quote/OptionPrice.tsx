import { useState } from 'react';
import type { PriceFigures, SerializedProduct } from '../../api/types';
import { useMoney } from '../../components/money/currency';
import classes from './OptionPrice.module.css';
import type { Premium } from './pricing';
import type { Source } from './tracking';
import { isSettled, useProductPrice, useSettledProduct } from './usePrice';

interface Props {
  /** The product as it would be with this choice; null while it can't be priced. */
  product: SerializedProduct | null;
  source?: Source;
  chosen: boolean;
  /** What is chosen now costs this. */
  current: Premium | null;
  /** What is chosen now costs something else, and it is being asked what. */
  pending: boolean;
}

/** Only like is compared with like: a year's price is neither more nor less than a trip's. */
function differenceOf(figures: PriceFigures, current: Premium | null): number {
  if (!current || current.per !== figures.per) return 0;
  return Math.round((figures.amount_total - current.amount) * 100) / 100;
}

/**
 * The price with a choice, and how that differs from what is chosen. Both prices take a moment
 * after a change: the difference stays as it was until they are of the same answers again.
 */
function useComparedPrice({ product, source, current, pending }: Omit<Props, 'chosen'>) {
  const settled = useSettledProduct(product);
  const { data, error, isLoading } = useProductPrice(product && settled, source);
  const figures = product && !error && data ? data : null;
  const [last, setLast] = useState(0);
  const comparable = figures && !isLoading && !pending && isSettled(product, settled);
  const change = comparable ? differenceOf(figures, current) : last;
  if (change !== last) setLast(change);
  return { figures, change };
}

/** What a choice would cost, and how that differs from what is chosen. */
export function OptionPrice({ chosen, ...compared }: Props) {
  const write = useMoney();
  const { figures, change } = useComparedPrice(compared);
  if (!figures) return <span className={classes.blank} aria-hidden="true" />;
  const { amount_total: amount, currency, per } = figures;
  return (
    <span className={classes.price}>
      <span className={classes.amount}>
        {write(amount, currency)}
        <span className={classes.per}>/{per}</span>
      </span>
      {!chosen && change !== 0 && (
        <span className={classes.more}>
          {write(Math.abs(change), currency)} {change > 0 ? 'more' : 'less'}
        </span>
      )}
    </span>
  );
}

/** What an extra adds to the price, or takes off it. */
export function ExtraPrice(compared: Omit<Props, 'chosen'>) {
  const write = useMoney();
  const { figures, change } = useComparedPrice(compared);
  if (!figures || change === 0) return null;
  const money = write(Math.abs(change), figures.currency);
  return (
    <span className={classes.extra}>
      {change > 0 ? `Adds ${money} per ${figures.per}` : `Saves ${money} per ${figures.per}`}
    </span>
  );
}
