import { formatMoney, formatPremium } from '../lib/money';
import classes from './Price.module.css';

interface Props {
  amount: number | null | undefined;
  currency?: string;
  per?: 'year' | 'trip';
  size?: 'lg' | 'md';
}

/** A premium with its period: "£64.20/year". */
export function Price({ amount, currency = 'GBP', per, size = 'md' }: Props) {
  const known = amount !== null && amount !== undefined;
  return (
    <span className={classes.price} data-size={size}>
      {known ? formatMoney(amount, currency) : formatPremium(null, currency)}
      {per && <span className={classes.per}>/{per}</span>}
    </span>
  );
}
