import { Stack, Text } from '@mantine/core';
import { useId, useState } from 'react';
import { reasonOf } from '../../api/failure';
import { switchAutoRenew } from '../../api/policy';
import type { PolicyTerm } from '../../api/policyTypes';
import { Panel } from '../../components/basics/Panel';
import { FormError } from '../../components/inputs/FormError';
import { formatLongDate } from '../../lib/dates';
import { formatMoney } from '../../lib/money';
import { endText } from './ending';
import life from './Life.module.css';

/** What will happen at the renewal date, and the price. */
export function autoRenewText(policy: PolicyTerm, on: boolean, currency?: string): string {
  const ending = policy.pending_cancellation;
  if (ending) {
    const stopped = `${endText(ending)}, because you asked to cancel it. Nothing is renewed or charged.`;
    return on ? `${stopped} If you keep your cover, it renews by itself again.` : stopped;
  }
  const { renewal } = policy;
  if (policy.renewed_by) {
    const from = renewal ? ` from ${formatLongDate(renewal.starts)}` : '';
    return `It is renewed: your new policy covers you${from}. Nothing more is charged for this one.`;
  }
  if (!on) {
    return `Nothing will be charged. Your cover ends on ${formatLongDate(policy.expiry)} unless you renew it.`;
  }
  if (policy.auto_renew && renewal && !renewal.charge_on) {
    return `It can't renew by itself as it stands. Nothing is charged, and your cover ends on ${formatLongDate(policy.expiry)} unless you renew it.`;
  }
  const day = formatLongDate(renewal?.charge_on ?? policy.expiry);
  if (renewal?.price != null) {
    const price = formatMoney(renewal.price, currency);
    return `We will charge ${price} to the card that paid for it on ${day}, and your cover goes on without a gap.`;
  }
  return `We will charge the card that paid for it on ${day}. We write to you with the price well before, and you can switch this off until then.`;
}

/** What stands in the place of the switch while it can't be used. */
function stateText(policy: PolicyTerm, on: boolean): string {
  if (policy.renewed_by) return 'Renewed';
  if (!on) return 'Off';
  return policy.pending_cancellation ? 'Stopped' : 'On';
}

interface Props {
  uuid: string;
  policy: PolicyTerm;
  currency?: string;
}

/** The switch for automatic renewal. */
export function AutoRenew({ uuid, policy, currency }: Props) {
  const label = useId();
  const [wish, setWish] = useState<boolean | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const on = wish ?? policy.auto_renew;
  const renewed = policy.renewed_by != null;
  const allowed = policy.can.auto_renew === true && !policy.pending_cancellation && !renewed;

  const flip = async () => {
    if (wish !== null) return;
    setWish(!on);
    setFailure(null);
    try {
      await switchAutoRenew(uuid, !on);
    } catch (error) {
      setFailure(error);
    } finally {
      // If the server refuses, the switch goes back to the stored value.
      setWish(null);
    }
  };

  return (
    <Panel title="Renewing by itself">
      <Stack gap="md">
        <div className={life.switchLine}>
          <span id={label}>Renew my cover by itself each year</span>
          {allowed ? (
            <button
              type="button"
              role="switch"
              aria-checked={on}
              aria-labelledby={label}
              className={life.switch}
              onClick={() => void flip()}
            >
              <span aria-hidden="true">{on ? 'On' : 'Off'}</span>
            </button>
          ) : (
            <strong>{stateText(policy, on)}</strong>
          )}
        </div>
        <Text size="sm" role="status">
          {autoRenewText(policy, on, currency)}
        </Text>
        {!policy.pending_cancellation && !allowed && policy.why_not?.auto_renew && (
          <Text size="sm" c="dimmed">
            {policy.why_not.auto_renew}
          </Text>
        )}
        <FormError texts={[failure ? `Nothing has changed. ${reasonOf(failure)}` : null]} />
      </Stack>
    </Panel>
  );
}
