import { Button, Group, Text } from '@mantine/core';
import { errorsOf } from '../../../api/failure';
import { refreshPolicy, refreshRenewals, withdrawCancellation } from '../../../api/policies/policy';
import type { Activity, PolicyTerm } from '../../../api/policies/policyTypes';
import { formatDateTime, formatLongDate } from '../../../lib/dates/dates';
import { formatMoney } from '../../../lib/format/money';
import { confirm } from '../../../lib/messages/confirm';
import { useSubmit } from '../../../lib/useSubmit';
import {
  renewalKeptText,
  renewedText,
  uncoveredDaysText,
} from '../../../shared/renewal/renewalText';
import { Panel } from '../../../ui/basics/Panel';
import { ActionError } from '../ActionError';
import type { ResultMessage } from '../ResultCard';
import {
  droppedChangeText,
  ESTIMATE_NOTE,
  endText,
  refundLabel,
  stoppedPaymentsText,
} from './cancellationText';
import { RefundFigure } from './RefundFigure';

interface Props {
  uuid: string;
  policy: PolicyTerm;
  activity: Activity;
  currency?: string;
  onWithdrawn: (result: ResultMessage) => void;
}

/**
 * Returns the predicate of a sentence about the effect of keeping the cover, without the full stop.
 * The subject is "It" or "Your cover". A second sentence follows if the policy is renewed.
 */
function continuesText(policy: PolicyTerm): string {
  const continueText = `goes on until ${formatLongDate(policy.expiry)}`;
  const renewed = renewedText(policy);
  if (renewed) return `${continueText}. ${renewed.slice(0, -1)}`;
  return policy.next_year === 'by_itself'
    ? `${continueText}, and renews by itself again`
    : continueText;
}

/**
 * Returns the note that keeping the cover does not restore the change that the cancellation
 * dropped. Returns an empty text if the cancellation dropped no change.
 */
function droppedChangeNote({ dropped_change: dropped }: Activity): string {
  if (!dropped) return '';
  return ` The change that was agreed for ${formatLongDate(dropped.effective_date)} stays dropped. Please ask for it again if you need it.`;
}

function question(policy: PolicyTerm, activity: Activity, currency?: string): string {
  const { refund } = activity;
  const refundSentence =
    refund.amount > 0 ? ` The ${formatMoney(refund.amount, currency)} does not come back.` : '';
  const planSentence = policy.plan ? ' Your monthly payments go on.' : '';
  return `Are you sure you wish to keep your cover? It ${continuesText(policy)}.${refundSentence}${planSentence}${droppedChangeNote(activity)}`;
}

/**
 * Shows a cancellation for a later day. A button withdraws the cancellation while that is possible.
 */
export function ScheduledCancellation({ uuid, policy, activity, currency, onWithdrawn }: Props) {
  const { working, failure, run } = useSubmit(errorsOf);
  const { id, effective_date: cancelDate, refund } = activity;
  const dropped = droppedChangeText(activity, currency);
  const stopped = stoppedPaymentsText(activity, currency);

  const withdraw = async () => {
    if (working || !id) return;
    const isConfirmed = await confirm({
      title: 'Keep your cover',
      message: question(policy, activity, currency),
      yes: 'Keep my cover',
      cancel: 'Let it end',
    });
    if (!isConfirmed) return;
    await run(async () => {
      await withdrawCancellation(id);
      await refreshPolicy(uuid);
      void refreshRenewals();
      onWithdrawn({
        title: 'You keep your cover',
        text: `Your cover ${continuesText(policy)}.${droppedChangeNote(activity)}`,
      });
    });
  };

  return (
    <Panel title={endText(activity)}>
      <Text>
        {activity.is_by_shop
          ? `${activity.reason}, so we will end this policy. Please call us if you think that is wrong.`
          : `You asked for this ${formatDateTime(activity.created)}.`}
        {activity.last_day &&
          (activity.can_withdraw || activity.is_by_shop) &&
          ' You are covered until the end of that day.'}
        {!activity.can_withdraw &&
          !activity.is_by_shop &&
          ' That day is over: your policy is being ended now.'}{' '}
        {renewalKeptText(policy) ?? "It doesn't renew."}{' '}
        {renewalKeptText(policy) && uncoveredDaysText(policy)}
      </Text>
      {stopped && <Text mt="sm">{stopped}</Text>}
      {dropped && <Text mt="sm">{dropped}</Text>}
      <RefundFigure
        refund={refund}
        currency={currency}
        label={refundLabel(cancelDate)}
        total={refundLabel(null)}
      />
      <Text size="sm" c="dimmed" mt="xs">
        {ESTIMATE_NOTE}
      </Text>
      {failure !== null && (
        <ActionError
          title="Your cancellation was not withdrawn"
          failure={failure}
          policy={uuid}
          onReload={() => void refreshPolicy(uuid)}
        />
      )}
      {activity.can_withdraw && (
        <Group mt="md">
          <Button onClick={() => void withdraw()} aria-disabled={working || undefined}>
            {working ? 'Working...' : 'Keep my cover'}
          </Button>
        </Group>
      )}
    </Panel>
  );
}
