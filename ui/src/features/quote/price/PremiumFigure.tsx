import { Button, VisuallyHidden } from '@mantine/core';
import type { ApiError } from '../../../api/client';
import { useMoney } from '../../../shared/money/currency';
import { Price } from '../../../shared/money/Price';
import classes from '../summary/Summary.module.css';
import styles from './PremiumFigure.module.css';
import type { Premium } from './pricing';

export interface PremiumState {
  premium: Premium | null;
  /** The difference to the previous price, for a short time after a change. */
  change: number | null;
  pending: boolean;
  error: ApiError | null;
  retry: () => void;
}

function changeText(change: number, amount: string): string {
  return `${change > 0 ? '+' : '−'}${amount}`;
}

/**
 * Shows the price, dimmed while a new price is being read, and the difference to the previous
 * price.
 */
export function PremiumFigure({
  premium,
  change,
  pending,
  compact = false,
}: PremiumState & { compact?: boolean }) {
  const write = useMoney();
  return (
    <div
      className={classes.figure}
      data-pending={pending || undefined}
      data-compact={compact || undefined}
    >
      <Price
        amount={premium?.amount}
        currency={premium?.currency}
        per={premium?.per}
        basis={premium?.basis}
        size="lg"
      />
      {premium && change !== null && change !== 0 && (
        <span className={classes.delta}>
          {changeText(change, write(Math.abs(change), premium.currency))}
        </span>
      )}
    </div>
  );
}

function sentence({ basis, per }: Premium, amount: string): string {
  return basis === 'day' ? `from ${amount} a day` : `${amount} per ${per}`;
}

/**
 * Announces a price to screen readers when it is not pending. After an error, announces that the
 * price is unknown.
 */
export function PremiumAnnouncement({ premium, pending, error }: PremiumState) {
  const write = useMoney();
  const text =
    premium && !pending
      ? `Your premium is ${sentence(premium, write(premium.amount, premium.currency))}.`
      : error
        ? 'Your premium is not known just now.'
        : '';
  return (
    <VisuallyHidden role="status" aria-live="polite">
      {text}
    </VisuallyHidden>
  );
}

export function PremiumError({ error, retry }: PremiumState) {
  if (!error) return null;
  // An answer that the server refuses (422) has a text of its own. A retry would not help.
  const reason = error.status === 422 ? Object.values(error.errors)[0]?.[0] : undefined;
  return (
    <div className={styles.fault}>
      <p>{reason ?? 'We could not work out your price just now.'}</p>
      {!reason && (
        <Button variant="default" size="sm" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  );
}
