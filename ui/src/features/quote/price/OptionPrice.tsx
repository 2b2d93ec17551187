import { useState } from 'react';
import type { PriceFigures, SerializedProduct } from '../../../api/types';
import type { ProductInfo } from '../../../form/types';
import { useMoney } from '../../../shared/money/currency';
import { type Offer, renewalPriceText } from '../start/offers';
import type { Source } from '../start/tracking';
import classes from './OptionPrice.module.css';
import { fetchOptionPrice, fetchPrice, useOptionPrices } from './priceCalls';
import type { Premium } from './pricing';
import { isSettled, useProductPrice, useSettledProduct } from './usePrice';

interface Props {
  /** The answers with this choice; null while they have no price. */
  product: SerializedProduct | null;
  source?: Source;
  chosen: boolean;
  /** The price of the current answers. */
  current: Premium | null;
  /** Whether a new price of the current answers is being read. */
  pending: boolean;
}

/**
 * Returns the difference of two prices, in their currency. Returns 0 without a current price, or if
 * the periods or the bases differ.
 */
function differenceOf(figures: PriceFigures, current: Premium | null): number {
  if (!current || current.per !== figures.per || current.basis !== figures.basis) return 0;
  return Math.round((figures.amount_total - current.amount) * 100) / 100;
}

/**
 * Reads the price with a choice, and the difference to the current price. If `isAdding` is false,
 * the difference is what the current answer adds. The last difference stays while either price is
 * being read.
 */
function useComparedPrice({
  product,
  source,
  current,
  pending,
  isAdding = true,
  fetcher = fetchOptionPrice,
}: Omit<Props, 'chosen'> & { isAdding?: boolean; fetcher?: typeof fetchPrice }) {
  useOptionPrices();
  const settled = useSettledProduct(product);
  const { data, error, isLoading } = useProductPrice(product && settled, source, fetcher);
  const figures = product && !error && data ? data : null;
  const [last, setLast] = useState<number | null>(null);
  const comparable = figures && !isLoading && !pending && isSettled(product, settled);
  const difference = comparable ? differenceOf(figures, current) : 0;
  const change = comparable ? (isAdding ? difference : -difference) : last;
  if (change !== last) setLast(change);
  /** Whether the difference is not known yet. */
  const isPending = change === null && product !== null && !error;
  return { figures, change: change ?? 0, isPending };
}

/**
 * Shows the price with a choice. Shows the difference too, except for the chosen choice or with
 * `hideDifference`.
 */
export function OptionPrice({
  chosen,
  hideDifference,
  ...compared
}: Props & { hideDifference: boolean }) {
  const write = useMoney();
  // The present choice has the price of the quote, which has its own call.
  const fetcher = chosen ? fetchPrice : fetchOptionPrice;
  const { figures, change } = useComparedPrice({ ...compared, fetcher });
  if (!figures) return <span className={classes.blank} aria-hidden="true" />;
  const { amount_total: amount, currency, per, basis } = figures;
  return (
    <span className={classes.price}>
      <span className={classes.amount}>
        {basis === 'day' && <span className={classes.per}>from </span>}
        {write(amount, currency)}
        <span className={classes.per}>{basis === 'day' ? ' a day' : `/${per}`}</span>
      </span>
      {!chosen && !hideDifference && change !== 0 && (
        <span className={classes.more}>
          {write(Math.abs(change), currency)} {change > 0 ? 'more' : 'less'}
        </span>
      )}
    </span>
  );
}

/** Keeps the space of a price that is being read. */
function PricePlaceholder() {
  return (
    <span className={classes.extra} aria-hidden="true">
      {'\u00a0'}
    </span>
  );
}

/** Shows how the price with `product` differs from the current price: "£18.30 more a year". */
export function AddedPrice(compared: Omit<Props, 'chosen'>) {
  const write = useMoney();
  const { figures, change, isPending } = useComparedPrice(compared);
  if (isPending) return <PricePlaceholder />;
  if (!figures || change === 0) return null;
  const money = write(Math.abs(change), figures.currency);
  const per = figures.per === 'year' ? 'a year' : 'for the trip';
  return (
    <strong className={classes.extra}>
      {money} {change > 0 ? 'more' : 'less'} {per}.
    </strong>
  );
}

/**
 * Shows what an extra adds to the price or saves. If the extra is chosen, `product` leaves the
 * extra out. If not, `product` includes the extra.
 */
export function ExtraPrice({ chosen, ...compared }: Props) {
  const write = useMoney();
  const { figures, change, isPending } = useComparedPrice({ ...compared, isAdding: !chosen });
  if (isPending) return <PricePlaceholder />;
  if (!figures || change === 0) return null;
  const money = write(Math.abs(change), figures.currency);
  return (
    <span className={classes.extra}>
      {change > 0 ? `Adds ${money} per ${figures.per}` : `Saves ${money} per ${figures.per}`}
    </span>
  );
}

/** Shows that the visitor's campaign makes an extra free, and what it costs at the renewal. */
export function OfferPrice({ offer, info }: { offer: Offer; info: ProductInfo }) {
  return (
    <span className={classes.extra}>
      {offer.note}. {renewalPriceText(offer, info)}
    </span>
  );
}
