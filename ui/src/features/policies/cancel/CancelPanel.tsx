import { Button, Group, NativeSelect, Stack, Text, Textarea, VisuallyHidden } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import useSWR from 'swr';
import { errorsOf, statusOf } from '../../../api/failure';
import {
  cancelPolicy,
  previewCancellation,
  refreshPolicy,
  refreshRenewals,
  useCancellationReasons,
} from '../../../api/policies/policy';
import type { Activity, PolicyTerm } from '../../../api/policies/policyTypes';
import { focusPath } from '../../../form/validation/focusPath';
import { formatLongDate, todayInLondon, toIsoDate } from '../../../lib/dates/dates';
import { useToday } from '../../../lib/dates/now';
import { useAnnounce } from '../../../lib/messages/announce';
import { confirm } from '../../../lib/messages/confirm';
import { useFaultInTitle } from '../../../lib/routes/title';
import { afterPointerUp } from '../../../lib/timing/afterPointerUp';
import { DISPUTE_NOTE } from '../../../shared/cover/dispute';
import { renewalKeptText } from '../../../shared/renewal/renewalText';
import { Panel } from '../../../ui/basics/Panel';
import { RetryLine } from '../../../ui/feedback/RetryLine';
import { ChevronIcon } from '../../../ui/icons/icons';
import { ActionError } from '../ActionError';
import { DayChoice } from '../DayChoice';
import {
  addDaysTo,
  lastCoveredDays,
  laterDay,
  NOW,
  type StartChoice,
  validateDay,
} from '../startChoice';
import {
  droppedChangeText,
  ESTIMATE_NOTE,
  endText,
  refundLabel,
  refundText,
  stoppedPaymentsText,
} from './cancellationText';
import { RefundFigure } from './RefundFigure';

const NOTE_LENGTH = 1000;
const DAY = 'effective_date';
const NO_DAY = 'Enter the last day of your cover';

interface Props {
  uuid: string;
  reference: string;
  policy: PolicyTerm;
  currency?: string;
  onClose: () => void;
  /**
   * Called after the server has accepted the cancellation. The cover has ended, or will end on the
   * chosen day.
   */
  onDone: () => void;
}

/** Builds the confirmation question, with the effects of the cancellation. */
function question(
  preview: Activity,
  policy: PolicyTerm,
  last: string | null,
  reference: string,
  renewalText: string | null,
  currency?: string,
) {
  return [
    `Are you sure you wish to cancel policy ${reference}?`,
    last
      ? `Your cover ends on ${formatLongDate(last)}, at the end of the day.`
      : 'Your cover ends at once.',
    refundText(preview.refund, last && preview.effective_date, currency),
    stoppedPaymentsText(preview, currency),
    droppedChangeText(preview, currency),
    policy.is_disputed && DISPUTE_NOTE,
    renewalText,
  ]
    .filter(Boolean)
    .join(' ');
}

/**
 * Returns the text about the pending cancellation that a new cancellation replaces. Returns null if
 * no cancellation is pending.
 */
function replaced(policy: PolicyTerm): string | null {
  const before = policy.pending_cancellation;
  return (
    before && `You have asked to cancel already: ${lowered(endText(before))}. This replaces it.`
  );
}

/** The text after midnight. The refund of the day before no longer applies. */
const NEW_DAY =
  'A new day has begun, so we have worked out again what comes back. Nothing has been cancelled yet.';

/**
 * Checks whether the server refused the cancellation with 409 or 422. The cause may be that a new
 * day has begun.
 */
function isOutdated(failure: unknown): boolean {
  const status = statusOf(failure);
  return status === 409 || status === 422;
}

const isoToday = () => toIsoDate(todayInLondon());

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** Shows the panel to cancel a policy: first the day and the refund, then the reason. */
export function CancelPanel({ uuid, reference, policy, currency, onClose, onDone }: Props) {
  const day = useToday();
  // The day that this panel treats as today. `beginDay` sets a new day.
  const [today, setToday] = useState(day);
  const [dayPassed, setDayPassed] = useState(false);
  const days = lastCoveredDays(policy.cancel_days);
  const [chosen, setChosen] = useState<StartChoice>(NOW);
  // Another tab may have scheduled a cancellation. Then `cancel_days` is null, and only today is
  // possible.
  const startChoice = days ? chosen : NOW;
  const [hasLeftDate, setHasLeftDate] = useState(false);
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState(false);
  const [note, setNote] = useState('');
  const [working, setWorking] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  // A new day needs a new refund and a new range of dates.
  const beginDay = (now: string) => {
    setToday(now);
    setDayPassed(true);
    if (isOutdated(failure)) setFailure(null);
  };
  if (day !== today) beginDay(day);
  useEffect(() => {
    if (dayPassed && today) void refreshPolicy(uuid);
  }, [dayPassed, today, uuid]);
  const select = useRef<HTMLSelectElement>(null);
  const reasons = useCancellationReasons();

  const dayWrong = validateDay(startChoice, days, NO_DAY);
  const last = laterDay(startChoice, days);
  // The first day without cover: today for an immediate end, and null for an invalid date.
  const effective = dayWrong === null ? (last ? addDaysTo(last, 1) : today) : null;
  // A repeated request with the same data has the same idempotency key, so the server cancels only
  // once.
  const key = useRef({ wish: '', key: '' });
  const keyOf = (request: object) => {
    const now = JSON.stringify(request);
    if (key.current.wish !== now) key.current = { wish: now, key: crypto.randomUUID() };
    return key.current.key;
  };

  // The panel shows the refund before the customer chooses a reason. The call needs a reason, but
  // the refund does not depend on the reason. So the call sends the first reason of the list.
  const first = reasons.data?.[0]?.id;
  const preview = useSWR(
    first === undefined || effective === null ? null : ['cancellation', uuid, effective],
    () =>
      previewCancellation({
        policy_uuid: uuid,
        effective_date: effective ?? today,
        reason_id: first ?? 0,
      }),
    { revalidateOnFocus: false, shouldRetryOnError: false, keepPreviousData: true },
  );
  const dayRefused = effective === null ? undefined : errorsOf(preview.error)[DAY]?.[0];
  const dayError =
    (hasLeftDate && dayWrong) || (startChoice.isLater ? dayRefused : undefined) || undefined;
  useFaultInTitle(missing || dayError !== undefined);
  // The previous refund stays dimmed while the panel reads the new refund.
  const shown = preview.error || effective === null ? undefined : preview.data;
  const shownPreview = shown?.effective_date === effective ? shown : undefined;
  // The customer also agrees to the refund, so the refund must be known before the cancellation.
  const pending = preview.isValidating;
  const unknown = preview.error !== undefined && effective !== null;
  const action = unknown && !dayError ? 'Work out my refund again' : 'Cancel my cover';
  // A second failure needs a new alert element. Screen readers do not announce an unchanged element
  // again.
  const [retryCount, setRetryCount] = useState(0);
  const retryPreview = async () => {
    await preview.mutate();
    setRetryCount((before) => before + 1);
  };
  const reload = async () => {
    setFailure(null);
    await refreshPolicy(uuid);
    await retryPreview();
  };

  const renewalKept = renewalKeptText(policy);
  const renewalText =
    renewalKept && `${renewalKept} Until then you are not covered once this policy has ended.`;
  const hasPassed = () => !last && isoToday() !== today;
  const commit = async () => {
    if (reasons.error && !reasons.data) return void reasons.mutate();
    if (working || pending) return;
    if (dayWrong || dayError) {
      setHasLeftDate(true);
      focusPath(DAY);
      return;
    }
    if (unknown) return retryPreview();
    if (!reason) {
      setMissing(true);
      select.current?.focus();
      return;
    }
    if (hasPassed()) return beginDay(isoToday());
    if (!shownPreview || effective === null) return;
    const isConfirmed = await confirm({
      title: 'Cancel your cover',
      message: question(shownPreview, policy, last, reference, renewalText, currency),
      yes: 'Cancel my cover',
      cancel: 'Keep my cover',
    });
    if (!isConfirmed) return;
    // Midnight may have passed while the question was open. The refund may then differ.
    if (hasPassed()) return beginDay(isoToday());
    setWorking(true);
    setFailure(null);
    try {
      const request = {
        policy_uuid: uuid,
        effective_date: effective,
        reason_id: Number(reason),
        ...(note.trim() ? { note: note.trim() } : {}),
      };
      await cancelPolicy(request, keyOf(request));
      await refreshPolicy(uuid);
      void refreshRenewals();
      onDone();
    } catch (error) {
      if (isOutdated(error) && hasPassed()) beginDay(isoToday());
      else setFailure(error);
    } finally {
      setWorking(false);
    }
  };

  const newDay = dayPassed && !startChoice.isLater ? NEW_DAY : null;
  useAnnounce(newDay);
  const dropped = shownPreview && droppedChangeText(shownPreview, currency);
  const before = replaced(policy);
  const stopped = shownPreview && stoppedPaymentsText(shownPreview, currency);
  return (
    <Panel title="Cancel your cover">
      <Stack gap="md">
        {days && (
          <DayChoice
            id={`answer-${DAY}`}
            question="When should your cover end?"
            now={{ label: 'Today', description: 'At once, as soon as you cancel' }}
            laterAnswer={{ label: 'A later day', description: 'At the end of the day you choose' }}
            label="Last day of your cover"
            days={days}
            choice={startChoice}
            error={dayError}
            onChange={(choice) => {
              setChosen(choice);
              setHasLeftDate(false);
              setFailure(null);
            }}
            onLeave={() => afterPointerUp(() => setHasLeftDate(true))}
          />
        )}
        {!startChoice.isLater && (
          <Text>
            Your cover ends today, {formatLongDate(today)}, as soon as you cancel. From then on we
            can't help you under this policy.
          </Text>
        )}
        {newDay && <Text>{newDay}</Text>}
        {last && (
          <Text>
            Your cover ends on {formatLongDate(last)}, at the end of the day. Until then it stays as
            it is, and you can change your mind.
          </Text>
        )}
        {before && <Text>{before}</Text>}
        {renewalText && <Text>{renewalText}</Text>}
        {shown && (
          <div data-dimmed={!shownPreview || pending || undefined}>
            <RefundFigure
              refund={shown.refund}
              currency={currency}
              label={refundLabel(shown.effective_date <= today ? null : shown.effective_date)}
              total={refundLabel(null)}
            />
          </div>
        )}
        {stopped && <Text>{stopped}</Text>}
        {dropped && <Text>{dropped}</Text>}
        {shownPreview && last && (
          <Text size="sm" c="dimmed">
            {ESTIMATE_NOTE}
          </Text>
        )}
        <VisuallyHidden role="status">
          {shownPreview && !pending && refundText(shownPreview.refund, last && effective, currency)}
        </VisuallyHidden>
        {preview.isLoading && !shown && <Text c="dimmed">Working out your refund…</Text>}
        {unknown && !dayError && (
          <ActionError
            key={retryCount}
            title="We couldn't work out your refund"
            failure={preview.error}
            policy={uuid}
            onLoggedIn={() => void retryPreview()}
            onReload={() => void reload()}
          />
        )}
        {reasons.error && !reasons.data ? (
          <RetryLine text="The form could not be loaded." read={reasons} />
        ) : (
          <NativeSelect
            ref={select}
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
          <ActionError
            title="Your cover was not cancelled"
            failure={failure}
            policy={uuid}
            onReload={() => void reload()}
          />
        )}
        <Group gap="sm">
          <Button
            color={unknown && !dayError ? undefined : 'red'}
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
