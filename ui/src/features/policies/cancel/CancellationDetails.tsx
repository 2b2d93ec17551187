import { Text } from '@mantine/core';
import { useCancellations } from '../../../api/policies/policy';
import type { Activity, NotTakenUp, PolicyTerm, Refund } from '../../../api/policies/policyTypes';
import { STATUS, type StatusId } from '../../../api/types';
import { formatDateTime, formatLongDate } from '../../../lib/dates/dates';
import { Facts } from '../../../ui/basics/Facts';
import { Panel } from '../../../ui/basics/Panel';
import { ContactLine } from '../../../ui/feedback/MessagePage';
import classes from './CancellationDetails.module.css';
import { droppedChangeText, stoppedPaymentsText } from './cancellationText';
import { RefundFigure } from './RefundFigure';

export const POLL_MS = 3000;

/**
 * Returns the pause before the next read of the cancellations, in milliseconds. If no refund is
 * pending, returns 0, and the list is not read again.
 */
export function pollWhilePending(latest: Activity[] | undefined): number {
  return latest?.some((activity) => activity.refund.status === 'pending') ? POLL_MS : 0;
}

const REFUND: Record<Refund['status'], string> = {
  none: 'Nothing was due back.',
  pending: 'It is on its way to the card that paid. That can take a few working days.',
  disputed:
    'Your bank is deciding a dispute of your payment, and the refund waits for that. If the payment stands, the refund goes to the card that paid. If your bank gives you the money, no refund follows.',
  paid: 'It was paid back to you. Your bank may need a few working days to show it.',
  unconfirmed:
    'We asked for your refund and could not confirm it yet. We will check it and contact you, or you can call us.',
  refused:
    'The refund to your card could not be made, so we still owe it to you. We will contact you to pay it another way, or you can call us.',
};

function CancellationFacts({
  activity,
  isNotTakenUp,
  currency,
}: {
  activity: Activity;
  isNotTakenUp: boolean;
  currency?: string;
}) {
  const { refund } = activity;
  const dropped = droppedChangeText(activity, currency);
  const stopped = stoppedPaymentsText(activity, currency);
  return (
    <div>
      <Facts
        rows={[
          [
            isNotTakenUp ? 'Undone on' : 'Cover ended on',
            formatLongDate(activity.last_day ?? activity.effective_date),
          ],
          ['Reason', activity.reason],
          ['Your note', activity.note],
          ['Asked for', activity.is_by_shop ? null : formatDateTime(activity.created)],
        ]}
      />
      <RefundFigure refund={refund} currency={currency} label="Refund" />
      <Text role="status" mt="sm" fw={600} className={classes.refund} data-status={refund.status}>
        {REFUND[refund.status]}
      </Text>
      {(refund.status === 'refused' || refund.status === 'unconfirmed') && <ContactLine />}
      {stopped && <Text mt="sm">{stopped}</Text>}
      {dropped && <Text mt="sm">{dropped}</Text>}
    </div>
  );
}

interface Props {
  uuid: string;
  status: StatusId;
  policy: PolicyTerm;
  /**
   * The response to undoing the policy. The card shows this response until `policy` contains the
   * cancellation.
   */
  notTakenUp: NotTakenUp | null;
  currency?: string;
}

/** Shows how and when a policy ended early, and the status of the refund. */
export function CancellationDetails({ uuid, status, policy, notTakenUp, currency }: Props) {
  const cancellation = policy.cancellation ?? null;
  const { data: listed } = useCancellations(cancellation ? uuid : null, pollWhilePending);
  const completed = listed?.filter((activity) => activity.status === 'done') ?? [];
  const activities = completed.length > 0 ? completed : cancellation ? [cancellation] : [];
  const refused = status === STATUS.notTakenUp;
  if (activities.length === 0 && !notTakenUp) return null;
  return (
    <Panel title={refused ? 'Not taken up' : 'Cancellation'}>
      {activities.length > 0
        ? activities.map((activity) => (
            <CancellationFacts
              key={activity.id ?? activity.effective_date}
              activity={activity}
              isNotTakenUp={refused}
              currency={currency}
            />
          ))
        : notTakenUp && (
            <>
              <RefundFigure refund={notTakenUp.refund} currency={currency} label="Refund" />
              <Text role="status" mt="sm" fw={600}>
                {notTakenUp.refund.amount > 0 ? REFUND.pending : REFUND.none}
              </Text>
            </>
          )}
    </Panel>
  );
}
