import type { PriceFigures } from '../../api/types';
import { formatMoney, formatPremium } from '../../lib/money';
import { useCurrency } from './currency';
import classes from './Price.module.css';

interface Props {
  amount: number | null | undefined;
  currency?: string;
  per?: PriceFigures['per'];
  size?: 'lg' | 'md';
}

/** A premium with its period: "£64.20/year". */
export function Price({ amount, currency, per, size = 'md' }: Props) {
  const own = useCurrency();
  const sign = currency ?? own.currency;
  const known = amount !== null && amount !== undefined;
  return (
    <span className={classes.price} data-size={size}>
      {known
        ? formatMoney(amount, sign, own.locale, own.format)
        : formatPremium(null, sign, own.locale)}
      {per && <span className={classes.per}>/{per}</span>}
    </span>
  );
}
