import type { Field, Option } from '../../../../form/types';
import { useMoney } from '../../../../shared/money/currency';
import { formatDifference } from '../../../../shared/money/MoneyLines';
import { Price } from '../../../../shared/money/Price';
import type { ChangeFormState } from '../form/useChange';
import classes from './LevelPrice.module.css';
import { useChangePricePreview } from './useChangePricePreview';

interface Props {
  change: ChangeFormState;
  policy: string;
  field: Field;
  option: Option;
  /** The price of the policy. */
  price: { amount_total: number; currency: string; per: 'year' | 'trip' } | null;
}

/** Shows the new price with a level of cover, and the amount due or refunded. */
export function LevelPrice({ change, policy, field, option, price: current }: Props) {
  const money = useMoney();
  const request = change.priceRequestWith(field.name, option.value);
  const { price } = useChangePricePreview(policy, request);
  const isCurrent = change.before.values[field.name] === option.value;
  if (!current || (!price && !(isCurrent && !request))) return null;
  const { currency, per } = current;
  return (
    <span>
      <Price amount={price?.premium_after ?? current.amount_total} currency={currency} per={per} />
      <span className={classes.due}>
        {!price
          ? 'Your cover now'
          : price.plan
            ? `${formatDifference(price.amount_now, currency)} in your monthly payments`
            : price.amount_now > 0
              ? `${money(price.amount_now, currency)} to pay today`
              : price.amount_now < 0
                ? `${money(-price.amount_now, currency)} comes back to you`
                : 'Nothing to pay today'}
      </span>
    </span>
  );
}
