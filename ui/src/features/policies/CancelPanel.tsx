import { Button, Group, NativeSelect, Stack, Text, Textarea, VisuallyHidden } from '@mantine/core';
import { useRef, useState } from 'react';
import useSWR from 'swr';
import {
  type Cancelling,
  cancelPolicy,
  previewCancellation,
  refreshPolicy,
  useCancellationReasons,
} from '../../api/policy';
import type { Activity } from '../../api/policyTypes';
import { Panel } from '../../components/basics/Panel';
import { RetryLine } from '../../components/feedback/RetryLine';
import { ChevronIcon } from '../../components/icons/icons';
import { confirm } from '../../lib/confirm';
import { formatLongDate, todayInLondon, toIsoDate } from '../../lib/dates';
import { formatMoney } from '../../lib/money';
import { useFaultInTitle } from '../../lib/title';
import { RefundFigure } from './RefundFigure';
import { Refused } from './Refused';

const NOTE_LENGTH = 1000;

interface Props {
  uuid: string;
  reference: string;
  currency?: string;
  onClose: () => void;
}

function question(preview: Activity, reference: string, currency?: string): string {
  const back =
    preview.refund.amount > 0
      ? `${formatMoney(preview.refund.amount, currency)} comes back to your card.`
      : 'Nothing comes back.';
  return `Are you sure you wish to cancel policy ${reference}? Your cover ends at once. ${back}`;
}

/** The panel to cancel a policy: the day and the refund first, then the reason. */
export function CancelPanel({ uuid, reference, currency, onClose }: Props) {
  const [today] = useState(() => toIsoDate(todayInLondon()));
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState(false);
  const [note, setNote] = useState('');
  const [working, setWorking] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const select = useRef<HTMLSelectElement>(null);
  // One idempotency key, so that a call that is sent twice cancels once.
  const [key] = useState(() => crypto.randomUUID());
  const reasons = useCancellationReasons();
  const wish = { policy_uuid: uuid, effective_date: today };
  // The refund is shown before a reason is chosen. The call needs a reason, but the refund is the
  // same for all of them, so it is asked with the first.
  const first = reasons.data?.[0]?.id;
  const preview = useSWR(
    first === undefined ? null : ['cancellation', uuid, today],
    () => previewCancellation({ ...wish, reason_id: first ?? 0 }),
    { revalidateOnFocus: false, shouldRetryOnError: false },
  );
  useFaultInTitle(missing);
  const found = preview.error ? undefined : preview.data;
  // The customer agrees to the refund with the cancellation, so it must be known first.
  const pending = preview.isValidating;
  const unknown = preview.error !== undefined;
  const action = unknown ? 'Work out my refund again' : 'Cancel my cover';
  // A second failure is a new alert element, because the same one would not be announced again.
  const [tries, setTries] = useState(0);
  const again = async () => {
    await preview.mutate();
    setTries((before) => before + 1);
  };

  const commit = async () => {
    if (reasons.error && !reasons.data) return void reasons.mutate();
    if (working || pending) return;
    if (unknown) return again();
    if (!reason) {
      setMissing(true);
      select.current?.focus();
      return;
    }
    if (!found) return;
    const sure = await confirm({
      title: 'Cancel your cover',
      message: question(found, reference, currency),
      yes: 'Cancel my cover',
      cancel: 'Keep my cover',
    });
    if (!sure) return;
    setWorking(true);
    setFailure(null);
    try {
      const asked: Cancelling = { ...wish, reason_id: Number(reason) };
      await cancelPolicy({ ...asked, ...(note.trim() ? { note: note.trim() } : {}) }, key);
      await refreshPolicy(uuid);
      onClose();
    } catch (error) {
      setFailure(error);
    } finally {
      setWorking(false);
    }
  };

  return (
    <Panel title="Cancel your cover">
      <Stack gap="md">
        <Text>
          Your cover ends today, {formatLongDate(today)}, as soon as you cancel. From then on we
          can't help you under this policy.
        </Text>
        {found && (
          <RefundFigure refund={found.refund} currency={currency} label="Comes back to your card" />
        )}
        <VisuallyHidden role="status">
          {found && `${formatMoney(found.refund.amount, currency)} comes back to your card.`}
        </VisuallyHidden>
        {preview.isLoading && <Text c="dimmed">Working out your refund…</Text>}
        {unknown && (
          <Refused
            key={tries}
            title="We couldn't work out your refund"
            failure={preview.error}
            policy={uuid}
            onLoggedIn={() => void again()}
          />
        )}
        {reasons.error && !reasons.data ? (
          <RetryLine
            text="The form could not be loaded."
            retrying={reasons.isValidating}
            onRetry={() => void reasons.mutate()}
          />
        ) : (
          <NativeSelect
            ref={select}
            size="md"
            rightSection={<ChevronIcon />}
            label="Why would you like to cancel?"
            description="It doesn't change what comes back."
            error={missing ? 'Choose a reason' : undefined}
            value={reason}
            data={[
              { value: '', label: reasons.data ? 'Choose…' : 'Please wait...' },
              ...(reasons.data ?? []).map(({ id, title }) => ({
                value: String(id),
                label: title,
              })),
            ]}
            onChange={(event) => {
              setReason(event.currentTarget.value);
              setMissing(false);
              setFailure(null);
            }}
          />
        )}
        <Textarea
          label="Anything you would like to tell us (optional)"
          maxLength={NOTE_LENGTH}
          rows={3}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        {failure !== null && (
          <Refused title="Your cover was not cancelled" failure={failure} policy={uuid} />
        )}
        <Group gap="sm">
          <Button
            color={unknown ? undefined : 'red'}
            onClick={() => void commit()}
            aria-disabled={working || pending || undefined}
          >
            {working ? 'Working...' : pending ? 'Please wait...' : action}
          </Button>
          <Button variant="default" onClick={onClose}>
            Keep my cover
          </Button>
        </Group>
      </Stack>
    </Panel>
  );
}
