import { Text } from '@mantine/core';
import type { Activity, Adjustment } from '../../api/policyTypes';
import { Panel } from '../../components/basics/Panel';
import { ChangedLines } from '../../components/cover/ChangedLines';
import { changeMoney } from '../../components/cover/changeMoney';
import { formatDate, formatDateTime } from '../../lib/dates';
import { formatMoney } from '../../lib/money';
import { useNow } from '../../lib/now';
import { isDeclined, isOpen } from './change/adjustments';
import life from './Life.module.css';

interface Entry {
  id: string;
  created: string;
  title: string;
  changes?: Adjustment['changes'];
  /** The money, then what happened when. */
  text: string;
}

/** A change as the history names it; null for an offer that nobody took up. */
function changed(each: Adjustment, now: number, currency?: string): Entry | null {
  const day = formatDate(each.effective_date);
  const entry = { id: each.adjustment_id, created: each.created, changes: each.changes };
  const said = (title: string, ...moments: (string | null)[]): Entry => ({
    ...entry,
    title,
    text: [changeMoney(each, currency), ...moments].filter(Boolean).join(' '),
  });
  const agreed = each.agreed && `Agreed ${formatDateTime(each.agreed)}.`;
  const applied = each.applied && `Made ${formatDateTime(each.applied)}.`;
  const givenUp = each.given_up && formatDateTime(each.given_up);
  switch (each.status) {
    case 'applied':
      return said(`From ${day}`, each.agreed !== each.applied ? agreed : null, applied);
    case 'agreed':
      return said(`Coming from ${day}`, agreed);
    case 'withdrawn':
      return each.agreed
        ? said(`For ${day}, withdrawn`, agreed, givenUp && `Withdrawn ${givenUp}.`)
        : null;
    case 'superseded':
      return each.agreed
        ? said(`For ${day}, not made`, agreed, givenUp && `Dropped ${givenUp}, as the policy ends.`)
        : null;
    default:
      return isOpen(each, now) && !isDeclined(each)
        ? said(`Offered from ${day}`, `We hold this price until ${formatDateTime(each.expires)}.`)
        : null;
  }
}

/**
 * A cancellation for a later day as the history names it. One that is done has a card of its own.
 */
function cancelled(each: Activity, currency?: string): Entry | null {
  if (!each.last_day) return null;
  const amount = formatMoney(each.refund.amount, currency);
  const entry = { id: each.id ?? each.created, created: each.created };
  const title = `Cancellation for ${formatDate(each.last_day)}`;
  const asked = `Asked for ${formatDateTime(each.created)}.`;
  const givenUp = formatDateTime(each.given_up);
  switch (each.status) {
    case 'pending':
      return { ...entry, title, text: `${amount} comes back then. ${asked}` };
    case 'withdrawn': {
      const text = `${amount} would have come back. ${asked} Withdrawn ${givenUp}.`;
      return { ...entry, title: `${title}, withdrawn`, text };
    }
    case 'overtaken': {
      const text = `${asked} The policy ended in another way ${givenUp}.`;
      return { ...entry, title: `${title}, not done`, text };
    }
    default:
      return null;
  }
}

interface Props {
  adjustments: Adjustment[] | undefined;
  cancellations: Activity[] | undefined;
  currency?: string;
}

/**
 * The changes and cancellations that were offered, agreed, made or withdrawn, newest first. What
 * can't be loaded is not shown.
 */
export function History({ adjustments = [], cancellations = [], currency }: Props) {
  const now = useNow();
  const entries = [
    ...adjustments.map((each) => changed(each, now, currency)),
    ...cancellations.map((each) => cancelled(each, currency)),
  ]
    .filter((entry) => entry !== null)
    .sort((a, b) => b.created.localeCompare(a.created));
  if (entries.length === 0) return null;
  return (
    <Panel title="History">
      <ol className={life.history}>
        {entries.map((entry) => (
          <li key={entry.id}>
            <h3 className={life.subtitle}>{entry.title}</h3>
            {entry.changes && <ChangedLines changes={entry.changes} />}
            <Text className={life.small}>{entry.text}</Text>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
