import type { PriceFigures, SerializedProduct } from '../../api/types';
import { useMoney } from '../../components/currency';
import classes from './OptionPrice.module.css';
import type { Premium } from './pricing';
import type { Source } from './tracking';
import { useProductPrice, useSettledProduct } from './usePrice';

interface Props {
  /** The product as it would be with this choice; null while it can't be priced. */
  product: SerializedProduct | null;
  source?: Source;
  chosen: boolean;
  /** What is chosen now costs this. */
  current: Premium | null;
}

/** Only like is compared with like: a year's price is neither more nor less than a trip's. */
function differenceOf(figures: PriceFigures, current: Premium | null): number {
  if (!current || current.per !== figures.per) return 0;
  return Math.round((figures.amount_total - current.amount) * 100) / 100;
}

/** What a choice would cost, and how that differs from what is chosen. */
export function OptionPrice({ product, source, chosen, current }: Props) {
  const write = useMoney();
  const settled = useSettledProduct(product);
  const { data, error } = useProductPrice(product && settled, source);
  if (!product || error || !data) return <span className={classes.blank} aria-hidden="true" />;
  const { amount_total: amount, currency, per } = data;
  const change = chosen ? 0 : differenceOf(data, current);
  return (
    <span className={classes.price}>
      <span className={classes.amount}>
        {write(amount, currency)}
        <span className={classes.per}>/{per}</span>
      </span>
      {change !== 0 && (
        <span className={classes.more}>
          {write(Math.abs(change), currency)} {change > 0 ? 'more' : 'less'}
        </span>
      )}
    </span>
  );
}

/** What an extra adds to the price, or takes off it. */
export function ExtraPrice({ product, source, current }: Omit<Props, 'chosen'>) {
  const write = useMoney();
  const settled = useSettledProduct(product);
  const { data, error } = useProductPrice(product && settled, source);
  if (!product || error || !data) return null;
  const change = differenceOf(data, current);
  if (change === 0) return null;
  const money = write(Math.abs(change), data.currency);
  return (
    <span className={classes.extra}>
      {change > 0 ? `Adds ${money} per ${data.per}` : `Saves ${money} per ${data.per}`}
    </span>
  );
}
