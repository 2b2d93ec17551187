import type { PriceFigures } from '../../api/types';
import { formatMoney, formatPremium } from '../../lib/format/money';
import { useCurrency } from './currency';
import classes from './Price.module.css';

interface Props {
  amount: number | null | undefined;
  currency?: string;
  per?: PriceFigures['per'];
  basis?: PriceFigures['basis'];
  size?: 'lg' | 'md';
}

/**
 * Shows a premium with its period, such as "£64.20/year". For the basis `day` shows "from £8.85 a
 * day". Shows "£--.--" for an unknown amount.
 */
export function Price({ amount, currency, per, basis, size = 'md' }: Props) {
  const own = useCurrency();
  const sign = currency ?? own.currency;
  const isKnown = amount !== null && amount !== undefined;
  const daily = isKnown && basis === 'day';
  return (
    <span className={classes.price} data-size={size}>
      {daily && <span className={classes.per}>from </span>}
      {isKnown
        ? formatMoney(amount, sign, own.locale, own.format)
        : formatPremium(null, sign, own.locale)}
      {daily && <span className={classes.per}> a day</span>}
      {per && !daily && (
        <>
          <wbr />
          <span className={classes.per}>/{per}</span>
        </>
      )}
    </span>
  );
}
