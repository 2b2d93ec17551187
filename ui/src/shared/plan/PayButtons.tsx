import { Button, Group, Stack, Text } from '@mantine/core';
import type { PlanChoice } from '../../api/policies/plans';
import type { PolicyPlan, PolicyTerm } from '../../api/policies/policyTypes';
import { formatMoney } from '../../lib/format/money';
import { paths } from '../../lib/routes/paths';
import { AppLink } from '../../ui/basics/AppLink';
import { planQuery } from './planQuery';
import { nextPayment } from './planText';

interface Props {
  uuid: string;
  policy: PolicyTerm;
  plan: PolicyPlan;
  currency?: string;
}

/** Shows links to pay what is due of a plan, with this card or another, or all that is left. If nothing is due, another card pays the next payment. */
export function PayButtons({ uuid, policy, plan, currency }: Props) {
  const pageOf = (choice: PlanChoice) => paths.payment(uuid, planQuery(choice));
  const isLast = plan.due === plan.left;
  // A scheduled end stops later payments, so paying them now would only send money back.
  const mayPayRest = !isLast && !policy.pending_cancellation;
  // The last payment of all is the rest. One before a scheduled end has no other button.
  const isRest = mayPayRest && nextPayment(plan)?.amount === plan.left;
  const next = plan.due === 0 && !isRest ? nextPayment(plan) : undefined;
  return (
    <Stack gap="xs" className="screenOnly">
      <Group gap="sm">
        {plan.due > 0 && (
          <Button component={AppLink} to={pageOf({ rest: false, keepCard: false })}>
            Pay {formatMoney(plan.due, currency)} now
          </Button>
        )}
        {plan.due > 0 && !isLast && (
          <Button
            component={AppLink}
            to={pageOf({ rest: false, keepCard: true })}
            variant="default"
          >
            Pay with another card
          </Button>
        )}
        {next && (
          <Button
            component={AppLink}
            to={pageOf({ rest: false, keepCard: true })}
            variant="default"
          >
            {plan.card_id === null ? 'Add a card' : 'Change the card'}
          </Button>
        )}
        {mayPayRest && (
          <Button
            component={AppLink}
            to={pageOf({ rest: true, keepCard: false })}
            variant="default"
          >
            Pay the rest, {formatMoney(plan.left, currency)}
          </Button>
        )}
      </Group>
      {plan.due > 0 && !isLast && (
        <Text className="hint">
          Pay with another card, and we charge your later payments to that card.
        </Text>
      )}
      {next && (
        <Text className="hint">
          A new card pays your next payment of {formatMoney(next.amount, currency)} now
          {next.amount === plan.left ? '.' : ', and the later ones on their days.'}
        </Text>
      )}
    </Stack>
  );
}
