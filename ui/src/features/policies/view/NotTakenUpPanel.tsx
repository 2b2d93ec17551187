import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { errorsOf } from '../../../api/failure';
import { refreshPolicy, refuseCover } from '../../../api/policies/policy';
import type { NotTakenUp } from '../../../api/policies/policyTypes';
import { formatLongDate } from '../../../lib/dates/dates';
import { formatMoney } from '../../../lib/format/money';
import { confirm } from '../../../lib/messages/confirm';
import { useSubmit } from '../../../lib/useSubmit';
import { DISPUTE_NOTE } from '../../../shared/cover/dispute';
import { lastDay } from '../../../shared/cover/lastDay';
import { useLinkedPolicy } from '../../../shared/renewal/useLinkedPolicy';
import { Panel } from '../../../ui/basics/Panel';
import { ActionError } from '../ActionError';

interface Props {
  uuid: string;
  reference: string;
  inception: string;
  amountPaid: number;
  disputed: boolean;
  /** Whether monthly payments are left. */
  hasPaymentsLeft: boolean;
  /** The uuid of the policy that this policy renews, or null. */
  follows: string | null;
  currency?: string;
  onClose: () => void;
  onDone: (result: NotTakenUp) => void;
}

/** Shows the panel to undo a policy before its first day, for a full refund. */
export function NotTakenUpPanel(props: Props) {
  const { uuid, reference, inception, currency } = props;
  const [key] = useState(() => crypto.randomUUID());
  const { working, failure, run } = useSubmit(errorsOf);
  const paidText = formatMoney(props.amountPaid, currency);
  const earlier = useLinkedPolicy(props.follows);
  const before = earlier
    ? ` Your current policy ${earlier.reference} then ends on ${formatLongDate(lastDay(earlier.policy))} and doesn't renew.`
    : '';

  const payments = props.hasPaymentsLeft ? ' No further monthly payment is collected.' : '';
  const dispute = props.disputed ? ` ${DISPUTE_NOTE}` : '';

  const commit = async () => {
    if (working) return;
    const isConfirmed = await confirm({
      title: "I don't want this after all",
      message: `Are you sure you wish to undo policy ${reference}? It will never begin, and the ${paidText} you paid comes back to the card that paid.${payments}${before}${dispute}`,
      yes: 'Undo this policy',
      cancel: 'Keep my cover',
    });
    if (!isConfirmed) return;
    await run(async () => {
      props.onDone(await refuseCover(uuid, key));
      await refreshPolicy(uuid);
      props.onClose();
    });
  };

  return (
    <Panel title="I don't want this after all">
      <Stack gap="md">
        <Text>
          Your cover would begin on {formatLongDate(inception)}. Until then you can undo it: there
          is no fee, and everything you paid, <strong>{paidText}</strong>, comes back to the card
          that paid.
          {payments}
          {before}
        </Text>
        {failure !== null && (
          <ActionError title="Your policy was not undone" failure={failure} policy={uuid} />
        )}
        <Group gap="sm">
          <Button color="red" onClick={() => void commit()} aria-disabled={working || undefined}>
            {working ? 'Working...' : 'Undo this policy'}
          </Button>
          <Button variant="default" onClick={props.onClose}>
            Keep my cover
          </Button>
        </Group>
      </Stack>
    </Panel>
  );
}
