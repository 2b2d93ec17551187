import type { PriceFigures, SerializedProduct, SourceTracking } from '../../api/types';
import { formatMoney } from '../../lib/money';
import classes from './OptionPrice.module.css';
import type { Premium } from './pricing';
import { useProductPrice, useSettledProduct } from './usePrice';

interface Props {
  /** The product as it would be with this choice; null while it can't be priced. */
  product: SerializedProduct | null;
  tracking?: SourceTracking;
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
export function OptionPrice({ product, tracking, chosen, current }: Props) {
  const settled = useSettledProduct(product);
  const { data, error } = useProductPrice(product && settled, tracking);
  if (!product || error || !data) return <span className={classes.blank} aria-hidden="true" />;
  const { amount_total: amount, currency, per } = data;
  const change = chosen ? 0 : differenceOf(data, current);
  return (
    <span className={classes.price}>
      <span className={classes.amount}>
        {formatMoney(amount, currency)}
        <span className={classes.per}>/{per}</span>
      </span>
      {change !== 0 && (
        <span className={classes.more}>
          {formatMoney(Math.abs(change), currency)} {change > 0 ? 'more' : 'less'}
        </span>
      )}
    </span>
  );
}

/** What an extra adds to the price, or takes off it. */
export function ExtraPrice({ product, tracking, current }: Omit<Props, 'chosen'>) {
  const settled = useSettledProduct(product);
  const { data, error } = useProductPrice(product && settled, tracking);
  if (!product || error || !data) return null;
  const change = differenceOf(data, current);
  if (change === 0) return null;
  const money = formatMoney(Math.abs(change), data.currency);
  return (
    <span className={classes.extra}>
      {change > 0 ? `Adds ${money} per ${data.per}` : `Saves ${money} per ${data.per}`}
    </span>
  );
}
