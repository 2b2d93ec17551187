import { Group, Stack, Switch, Text } from '@mantine/core';
import '@mantine/core/styles/Switch.layer.css';
import { useState } from 'react';
import { errorsOf, reasonOf } from '../../../api/failure';
import { switchAutoRenew, switchRenewalPayment } from '../../../api/policies/policy';
import type { PolicyTerm } from '../../../api/policies/policyTypes';
import { formatLongDate } from '../../../lib/dates/dates';
import { formatMoney } from '../../../lib/format/money';
import { useSubmit } from '../../../lib/useSubmit';
import {
  CARD_UNCLEAR,
  renewalKeptText,
  renewedText,
  uncoveredDaysText,
} from '../../../shared/renewal/renewalText';
import { LinkButton } from '../../../ui/basics/LinkButton';
import { Panel } from '../../../ui/basics/Panel';
import { FormError } from '../../../ui/inputs/FormError';
import { endText } from '../cancel/cancellationText';
import classes from './AutoRenew.module.css';

/**
 * Returns the text about what happens after the policy's last day, for a position of the switch.
 */
export function autoRenewText(policy: PolicyTerm, isOn: boolean, currency?: string): string {
  const ending = policy.pending_cancellation;
  const nextYear = stateOf(policy, isOn);
  if (ending) {
    const cancelText = `${endText(ending)}, because you asked to cancel it.`;
    const renewalText = renewalKeptText(policy);
    if (renewalText)
      return [cancelText, renewalText, uncoveredDaysText(policy)].filter(Boolean).join(' ');
    const stopped = `${cancelText} Nothing is renewed or charged.`;
    return nextYear === 'by_itself'
      ? `${stopped} If you keep your cover, it renews by itself again.`
      : stopped;
  }
  const last = formatLongDate(policy.expiry);
  const ends = `Your cover ends on ${last}`;
  switch (nextYear) {
    case 'by_itself':
      return [chargeText(policy, currency), arrearsText(policy)].filter(Boolean).join(' ');
    case 'by_hand':
    case 'no_card':
      return `Nothing will be charged. ${ends} unless you renew it.`;
    case 'incomplete':
      return `Nothing will be charged: your renewal needs more answers first. ${ends} unless you complete and buy it.`;
    case 'charging':
      return 'We are charging the card that paid for it. We write to you when it has paid, or has not.';
    case 'card_unclear':
      return CARD_UNCLEAR;
    case 'card_refused':
      return `We couldn't renew your policy: the card that paid for it has not paid for the renewal, and nothing was taken. ${ends} unless you renew it with a card.`;
    case 'renewed':
      return `It covers you until ${last}. ${renewedText(policy) ?? 'It is renewed.'} Nothing more is charged for this one.`;
    case 'undone':
    case 'declined':
    case 'single_trip':
      return `Nothing will be charged. ${ends}.`;
    case 'ended':
      return `Your cover ended on ${last}. Nothing will be charged.`;
  }
}

/** Returns `next_year` for a position of the switch that the server may not have stored yet. */
function stateOf({ next_year: nextYear }: PolicyTerm, isOn: boolean): PolicyTerm['next_year'] {
  if (nextYear !== 'by_itself' && nextYear !== 'by_hand') return nextYear;
  return isOn ? 'by_itself' : 'by_hand';
}

function chargeText({ renewal }: PolicyTerm, currency?: string): string {
  const first = renewal?.plan?.payments[0];
  if (first && renewal?.charge_on) {
    const price = formatMoney(first.amount, currency);
    return `We will charge the first monthly payment of ${price} to the card that paid for it on ${formatLongDate(renewal.charge_on)}, and your cover goes on without a gap.`;
  }
  if (renewal?.price != null && renewal.charge_on) {
    const price = formatMoney(renewal.price, currency);
    return `We will charge ${price} to the card that paid for it on ${formatLongDate(renewal.charge_on)}, and your cover goes on without a gap.`;
  }
  return 'We will charge the card that paid for it before your cover ends. We write to you with the price and the day well before, and you can switch this off until then.';
}

/** Returns the condition of the charge while a payment of this year's plan is due. */
function arrearsText({ plan }: PolicyTerm): string | null {
  return plan && plan.due > 0
    ? 'We charge it only if what is due of your monthly payments is paid by then.'
    : null;
}

/** Returns the status that the page shows if the customer can't use the switch. */
function renewalStatusText(policy: PolicyTerm): string {
  const nextYear = policy.next_year;
  if (nextYear === 'renewed') return 'Renewed';
  if (policy.pending_cancellation) return nextYear === 'by_itself' ? 'Stopped' : 'Off';
  if (nextYear === 'charging') return 'Being charged';
  if (nextYear === 'card_unclear') return 'Not known yet';
  return nextYear === 'by_itself' ? 'On' : 'Off';
}

interface Props {
  uuid: string;
  policy: PolicyTerm;
  currency?: string;
}

const LABEL = 'Renew my cover by itself each year';

/**
 * Shows the switch for automatic renewal. If the customer can't use the switch, shows the status.
 */
export function AutoRenew({ uuid, policy, currency }: Props) {
  const [requested, setRequested] = useState<boolean | null>(null);
  const { working, failure, run } = useSubmit(errorsOf);
  const isOn = requested ?? policy.auto_renew;
  const renewed = policy.renewed_by != null;
  const allowed = policy.can.auto_renew === true && !policy.pending_cancellation && !renewed;

  const flip = () =>
    run(async () => {
      setRequested(!isOn);
      try {
        await switchAutoRenew(uuid, !isOn);
      } finally {
        // The switch shows the stored value again, which is the old value after a failure.
        setRequested(null);
      }
    });

  return (
    <Panel title="Renewing by itself">
      <Stack gap="md">
        {allowed ? (
          <Switch
            label={LABEL}
            labelPosition="left"
            classNames={classes}
            withThumbIndicator={false}
            onLabel="On"
            offLabel="Off"
            size="xl"
            color="green"
            checked={isOn}
            onChange={() => void flip()}
          />
        ) : (
          <Group justify="space-between" wrap="nowrap">
            {LABEL}
            <strong>{renewalStatusText(policy)}</strong>
          </Group>
        )}
        <Text size="sm" role="status">
          {autoRenewText(policy, isOn, currency)}
        </Text>
        {allowed && policy.plan && stateOf(policy, isOn) === 'by_itself' && (
          <RenewalPayment
            policy={policy}
            working={working}
            onChange={(isMonthly) => void run(() => switchRenewalPayment(uuid, isMonthly))}
          />
        )}
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

interface RenewalPaymentProps {
  policy: PolicyTerm;
  working: boolean;
  onChange: (isMonthly: boolean) => void;
}

/** Shows how the renewal of a policy with a plan is paid, and a button that changes it. */
function RenewalPayment({ policy, working, onChange }: RenewalPaymentProps) {
  const { renews_monthly: isMonthly, renewal } = policy;
  // The server has no plan for a price below the product's minimum.
  if (isMonthly && renewal?.charge_on && !renewal.plan) {
    return (
      <Text size="sm" role="status">
        Your renewal can't be paid monthly. It is paid in one payment.
      </Text>
    );
  }
  return (
    <Group gap="0 1rem">
      <Text size="sm" role="status">
        {isMonthly ? 'Your renewal is paid monthly.' : 'Your renewal is paid in one payment.'}
      </Text>
      <LinkButton
        size="sm"
        className="touchTarget"
        aria-disabled={working || undefined}
        onClick={() => onChange(!isMonthly)}
      >
        {isMonthly ? 'Change to one payment' : 'Change to monthly payments'}
      </LinkButton>
    </Group>
  );
}
