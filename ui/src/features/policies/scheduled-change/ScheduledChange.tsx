import { Button, Group, Text } from '@mantine/core';
import { errorsOf } from '../../../api/failure';
import { refreshPolicy, refreshRenewals, withdrawChange } from '../../../api/policies/policy';
import type { Adjustment, PolicyTerm } from '../../../api/policies/policyTypes';
import { formatDateTime, formatLongDate } from '../../../lib/dates/dates';
import { formatMoney } from '../../../lib/format/money';
import { confirm } from '../../../lib/messages/confirm';
import { useSubmit } from '../../../lib/useSubmit';
import { ChangedLines } from '../../../shared/change/ChangedLines';
import { changeMoney, refundText } from '../../../shared/change/changeMoney';
import { DISPUTE_NOTE } from '../../../shared/cover/dispute';
import { Panel } from '../../../ui/basics/Panel';
import { ActionError } from '../ActionError';
import type { ResultMessage } from '../ResultCard';

interface Props {
  uuid: string;
  policy: PolicyTerm;
  change: Adjustment;
  currency?: string;
  onWithdrawn: (result: ResultMessage) => void;
}

function question(
  { amount_now: due, effective_date: day, is_spread: isSpread }: Adjustment,
  { is_disputed: disputed }: PolicyTerm,
  currency?: string,
): string {
  const amount = formatMoney(Math.abs(due), currency);
  const question = 'Are you sure you wish to withdraw this change? Your cover stays as it is';
  if (isSpread) return `${question}, and so do your monthly payments.`;
  if (due > 0) {
    const refundQuestion = `${question}, and the ${amount} you paid comes back to the card that paid.`;
    return disputed ? `${refundQuestion} ${DISPUTE_NOTE}` : refundQuestion;
  }
  if (due < 0)
    return `${question}, and the ${amount} does not come back on ${formatLongDate(day)}.`;
  return `${question}.`;
}

/** Shows a change that is agreed for a later day. A button withdraws the change before that day. */
export function ScheduledChange({ uuid, policy, change, currency, onWithdrawn }: Props) {
  const { working, failure, run } = useSubmit(errorsOf);
  const day = formatLongDate(change.effective_date);
  const last = policy.pending_cancellation?.last_day;

  const withdraw = async () => {
    if (working) return;
    const isConfirmed = await confirm({
      title: 'Withdraw this change',
      message: question(change, policy, currency),
      yes: 'Withdraw this change',
      cancel: 'Keep this change',
    });
    if (!isConfirmed) return;
    await run(async () => {
      const { refund } = await withdrawChange(change.adjustment_id);
      await refreshPolicy(uuid);
      void refreshRenewals();
      onWithdrawn({
        title: 'Your change is withdrawn',
        text: `Your cover stays as it is. ${refund.amount > 0 ? refundText(refund, currency) : ''}`.trim(),
      });
    });
  };

  return (
    <Panel title={`Coming change: from ${day}`}>
      <ChangedLines changes={change.changes} />
      <Text mt="sm">
        {changeMoney(change, currency)}{' '}
        {change.can_withdraw
          ? `Until ${day} your cover stays as it is.`
          : 'Its day has begun: it is being made now.'}
        {last && ` Your cover with this change then ends on ${formatLongDate(last)}.`}
      </Text>
      {change.agreed && (
        <Text size="sm" c="dimmed" mt="xs">
          Agreed {formatDateTime(change.agreed)}.
        </Text>
      )}
      {failure !== null && (
        <ActionError
          title="Your change was not withdrawn"
          failure={failure}
          policy={uuid}
          onReload={() => void refreshPolicy(uuid)}
        />
      )}
      {change.can_withdraw && (
        <Group mt="md">
          <Button
            variant="default"
            onClick={() => void withdraw()}
            aria-disabled={working || undefined}
          >
            {working ? 'Working...' : 'Withdraw this change'}
          </Button>
        </Group>
      )}
    </Panel>
  );
}
