import { reasonOf } from '../../../../api/failure';
import type { ChangePrice } from '../../../../api/policies/policyTypes';
import { Price } from '../../../../shared/money/Price';
import { spreadLabel } from '../../../../shared/plan/spreadText';
import type { ChangeFormState } from '../form/useChange';
import classes from './LivePrice.module.css';
import { useChangePricePreview } from './useChangePricePreview';

interface Props {
  change: ChangeFormState;
  policy: string;
  currency?: string;
  per?: 'year' | 'trip';
}

function dueLabel({ amount_now: amount, plan }: ChangePrice): string {
  if (plan) return spreadLabel(amount);
  return amount < 0 ? 'Comes back to you' : 'To pay today';
}

/** Shows the new price, and the amount due or refunded, after the customer has edited an answer. */
export function LivePrice({ change, policy, currency, per }: Props) {
  const { price, pending, error } = useChangePricePreview(policy, change.priceRequest);
  if (!change.dirty) return null;
  return (
    <div role="status" className={`panel ${classes.preview}`} data-pending={pending || undefined}>
      {!change.priced ? (
        <p>This does not change your price.</p>
      ) : !change.priceRequest ? (
        <p>Fill in the rest, and the new price appears here.</p>
      ) : error ? (
        <p>{reasonOf(error)}</p>
      ) : price ? (
        <>
          <p>
            <span>Your new price</span>
            <Price amount={price.premium_after} currency={currency} per={per} size="lg" />
          </p>
          <p>
            <span>{dueLabel(price)}</span>
            <Price amount={Math.abs(price.amount_now)} currency={currency} size="lg" />
          </p>
        </>
      ) : (
        <p>Working out the new price</p>
      )}
    </div>
  );
}
