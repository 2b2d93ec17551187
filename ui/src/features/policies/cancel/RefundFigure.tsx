import { Group } from '@mantine/core';
import type { MoneyLine } from '../../../api/policies/policyTypes';
import { MoneyLines } from '../../../shared/money/MoneyLines';
import { Price } from '../../../shared/money/Price';
import classes from './RefundFigure.module.css';

interface Props {
  refund: { amount: number; lines: MoneyLine[] };
  currency?: string;
  label: string;
  /** The label of the total below the calculation. The default is `label`. */
  total?: string;
}

export function RefundFigure({ refund, currency, label, total = label }: Props) {
  return (
    <div className={classes.figure}>
      <Group component="p" justify="space-between" align="baseline" gap="0 1rem" fw={600}>
        {refund.amount === 0 ? (
          <span>Nothing comes back.</span>
        ) : (
          <>
            <span>{label}</span>
            <Price amount={refund.amount} currency={currency} size="lg" />
          </>
        )}
      </Group>
      {refund.lines.length > 0 && (
        <MoneyLines
          caption="How it is worked out"
          lines={refund.lines}
          totals={[{ label: total, amount: refund.amount }]}
          currency={currency}
        />
      )}
    </div>
  );
}
