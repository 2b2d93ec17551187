import { Text } from '@mantine/core';
import type { Adjustment, PolicyPlan } from '../../../../api/policies/policyTypes';
import { formatDate, formatLongDate } from '../../../../lib/dates/dates';
import { formatMoney } from '../../../../lib/format/money';
import {
  type ChangedPayment,
  changedPayments,
  spreadRefund,
} from '../../../../shared/plan/spreadText';

interface Props {
  adjustment: Adjustment;
  /** The plan of the policy as it is. */
  plan: PolicyPlan;
  currency?: string;
}

function amountText(amount: number | null, currency?: string): string {
  return amount === null ? 'nothing' : formatMoney(amount, currency);
}

function firstText({ due, before, after }: ChangedPayment, currency?: string): string {
  return `The payment of ${formatLongDate(due)} is ${amountText(after, currency)} instead of ${amountText(before, currency)}.`;
}

/** Shows how a change alters the payments of a plan. Nothing is paid at once. */
export function NewPayments({ adjustment, plan, currency }: Props) {
  if (!adjustment.plan) return null;
  const changed = changedPayments(plan, adjustment.plan);
  const refund = spreadRefund(plan, adjustment);
  const [first] = changed;
  return (
    <>
      <Text mb="sm">
        Nothing is paid today. {first && firstText(first, currency)}
        {refund > 0 &&
          ` ${formatMoney(refund, currency)} more than is left comes back to the card that paid.`}
      </Text>
      {changed.length > 1 && (
        <details className="more">
          <summary>All {changed.length} payments that change</summary>
          <dl className="rows">
            {changed.map(({ due, before, after }) => (
              <div key={due}>
                <dt>{formatDate(due)}</dt>
                <dd>
                  {amountText(after, currency)} instead of {amountText(before, currency)}
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </>
  );
}
