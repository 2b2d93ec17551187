import { Button, Stack, Text, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { CHANGES_A_PAGE, readEarlierChanges } from '../../../api/policies/policy';
import type { Activity, Adjustment } from '../../../api/policies/policyTypes';
import { formatDate, formatDateTime, formatEnd } from '../../../lib/dates/dates';
import { useNow } from '../../../lib/dates/now';
import { formatMoney } from '../../../lib/format/money';
import { useSubmit } from '../../../lib/useSubmit';
import { ChangedLines } from '../../../shared/change/ChangedLines';
import { changeMoney } from '../../../shared/change/changeMoney';
import { Panel } from '../../../ui/basics/Panel';
import { RetryLine } from '../../../ui/feedback/RetryLine';
import { isDeclined, isOpen } from '../change/adjustments';

interface HistoryItem {
  id: string;
  created: string;
  title: string;
  changes?: Adjustment['changes'];
  /** The sentences about the payment or refund and about the events. */
  text: string;
}

/**
 * Builds the history entry of a change. Returns null for an offer that the customer declined, or
 * that ended without acceptance.
 */
function changed(each: Adjustment, now: number, currency?: string): HistoryItem | null {
  const day = formatDate(each.effective_date);
  const entry = { id: each.adjustment_id, created: each.created, changes: each.changes };
  const changeEntry = (title: string, ...moments: (string | null)[]): HistoryItem => ({
    ...entry,
    title,
    text: [changeMoney(each, currency), ...moments].filter(Boolean).join(' '),
  });
  const agreed = each.agreed && `Agreed ${formatDateTime(each.agreed)}.`;
  const applied = each.applied && `Made ${formatDateTime(each.applied)}.`;
  const withdrawnAt = each.ended_at && formatDateTime(each.ended_at);
  switch (each.status) {
    case 'applied':
      return changeEntry(`From ${day}`, each.agreed !== each.applied ? agreed : null, applied);
    case 'agreed':
      return changeEntry(`Coming from ${day}`, agreed);
    case 'withdrawn':
      return each.agreed
        ? changeEntry(`For ${day}, withdrawn`, agreed, withdrawnAt && `Withdrawn ${withdrawnAt}.`)
        : null;
    case 'superseded':
      return each.agreed
        ? changeEntry(
            `For ${day}, not made`,
            agreed,
            withdrawnAt && `Dropped ${withdrawnAt}, when you asked for the policy to end.`,
          )
        : null;
    default:
      return isOpen(each, now) && !isDeclined(each)
        ? changeEntry(`Offered from ${day}`, `We hold this price until ${formatEnd(each.expires)}.`)
        : null;
  }
}

/**
 * Builds the history entry of a cancellation for a later day. Returns null for a completed
 * cancellation, which has its own card.
 */
function cancelled(each: Activity, currency?: string): HistoryItem | null {
  const hasRefund = each.refund.amount > 0;
  const amount = hasRefund ? formatMoney(each.refund.amount, currency) : 'Nothing';
  const entry = { id: each.id ?? each.created, created: each.created };
  // A cancellation for the first day of cover leaves no day covered.
  const title = each.last_day
    ? `Cancellation for ${formatDate(each.last_day)}`
    : `Cancellation before ${formatDate(each.effective_date)}`;
  const requestText = `Asked for ${formatDateTime(each.created)}.`;
  const withdrawnAt = formatDateTime(each.ended_at);
  switch (each.status) {
    case 'pending':
      return { ...entry, title, text: `${amount} comes back then. ${requestText}` };
    case 'withdrawn': {
      const text = `${amount} would have come back. ${requestText} Withdrawn ${withdrawnAt}.`;
      return { ...entry, title: `${title}, withdrawn`, text };
    }
    case 'overtaken': {
      const text = `${requestText} The policy ended in another way ${withdrawnAt}.`;
      return { ...entry, title: `${title}, not done`, text };
    }
    default:
      return null;
  }
}

interface Props {
  uuid: string;
  adjustments: Adjustment[] | undefined;
  cancellations: Activity[] | undefined;
  currency?: string;
}

const NOTHING = () => ({});

/**
 * Shows a policy's changes and its cancellations for a later day, newest first. Leaves out a list
 * that could not be read. A button reads the next page of changes, if there may be one.
 */
export function History({ uuid, adjustments = [], cancellations = [], currency }: Props) {
  const now = useNow();
  const [earlier, setEarlier] = useState<Adjustment[][]>([]);
  const { working, failure, run } = useSubmit(NOTHING);
  const showEarlier = () =>
    run(async () => {
      const page = await readEarlierChanges(uuid, earlier.length + 2);
      setEarlier((pages) => [...pages, page]);
    });
  const mayHaveMore = (earlier.at(-1) ?? adjustments).length >= CHANGES_A_PAGE;
  // A change may be on two pages, because a new change moves the older changes to later pages.
  const all = new Map(
    [...earlier.flat(), ...adjustments].map((each) => [each.adjustment_id, each]),
  );
  const entries = [
    ...[...all.values()].map((each) => changed(each, now, currency)),
    ...cancellations.map((each) => cancelled(each, currency)),
  ]
    .filter((entry) => entry !== null)
    .sort((a, b) => b.created.localeCompare(a.created));
  // The first entry of the new page gets the focus, because the button may no longer exist.
  const last = earlier.at(-1)?.map((each) => each.adjustment_id);
  const firstShown = entries.find((entry) => last?.includes(entry.id))?.id;
  const shown = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (earlier.length > 0) shown.current?.focus();
  }, [earlier.length]);
  if (entries.length === 0 && !mayHaveMore) return null;
  return (
    <Panel title="History">
      <Stack component="ol" gap="md">
        {entries.map((entry) => (
          <li
            key={entry.id}
            ref={entry.id === firstShown ? shown : undefined}
            tabIndex={entry.id === firstShown ? -1 : undefined}
          >
            <Title order={3} size="md">
              {entry.title}
            </Title>
            {entry.changes && <ChangedLines changes={entry.changes} />}
            <Text className="hint" mt="0.25rem">
              {entry.text}
            </Text>
          </li>
        ))}
      </Stack>
      {mayHaveMore && failure === null && (
        <Button mt="md" variant="default" loading={working} onClick={showEarlier}>
          Show earlier changes
        </Button>
      )}
      {failure !== null && (
        <RetryLine
          text="Earlier changes could not be loaded."
          read={{ isValidating: working, mutate: showEarlier }}
        />
      )}
    </Panel>
  );
}
