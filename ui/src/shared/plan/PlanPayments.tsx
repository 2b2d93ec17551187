import { Group, Stack, Text } from '@mantine/core';
import { useProfile } from '../../api/hooks';
import { useCards } from '../../api/policies/plans';
import type { PolicyPlan, PolicyTerm } from '../../api/policies/policyTypes';
import { formatDate } from '../../lib/dates/dates';
import { formatMoney } from '../../lib/format/money';
import { Facts } from '../../ui/basics/Facts';
import { cardExpiry, cardName, cardWithId } from './cardText';
import { PayButtons } from './PayButtons';
import { PlanNotice } from './PlanNotice';
import classes from './PlanPayments.module.css';
import {
  needsPayment,
  nextPaymentText,
  PAYMENT_STATES,
  paidOf,
  stoppingText,
  sumOf,
} from './planText';

interface Props {
  uuid: string;
  policy: PolicyTerm;
  plan: PolicyPlan;
  currency?: string;
}

/** Shows what is paid and what is due of a policy's plan, with the ways to pay. */
export function PlanPayments({ uuid, policy, plan, currency }: Props) {
  const { data: profile } = useProfile();
  const cards = useCards(Boolean(profile));
  const card = cardWithId(cards.data, plan.card_id);
  const isRunning = plan.status !== 'ended' && plan.left > 0;
  const paid = paidOf(plan);
  const stopping = stoppingText(policy, currency);
  return (
    <Stack gap="md">
      {needsPayment(plan) ? (
        <PlanNotice plan={plan} currency={currency} />
      ) : (
        <Text>{nextPaymentText(plan, card, currency)}</Text>
      )}
      {stopping && <Text>{stopping}</Text>}
      <Facts
        className={`facts ${classes.facts}`}
        rows={[
          [
            'Paid',
            `${formatMoney(sumOf(paid), currency)} in ${paid.length} of ${plan.payments.length} payments`,
          ],
          ['Left to pay', isRunning && formatMoney(plan.left, currency)],
          [
            'Card',
            isRunning && (plan.card_id === null ? 'None is stored' : card && cardText(card)),
          ],
        ]}
      />
      {isRunning && !plan.is_charging && (
        <PayButtons uuid={uuid} policy={policy} plan={plan} currency={currency} />
      )}
      <details className="more">
        <summary>All {plan.payments.length} payments</summary>
        <ol className={`rows ${classes.payments}`}>
          {plan.payments.map((payment) => (
            <li key={payment.due}>
              <Group justify="space-between" gap="0 1rem" component="span">
                <span>{formatDate(payment.due)}</span>
                <span className={classes.state} data-state={payment.state}>
                  {PAYMENT_STATES[payment.state]}
                  {payment.paid_on && ` ${formatDate(payment.paid_on)}`}
                </span>
                <span className={classes.amount}>{formatMoney(payment.amount, currency)}</span>
              </Group>
            </li>
          ))}
        </ol>
      </details>
    </Stack>
  );
}

function cardText(card: Parameters<typeof cardName>[0]): string {
  const expiry = cardExpiry(card);
  return expiry ? `${cardName(card)}, valid until ${expiry}` : cardName(card);
}
