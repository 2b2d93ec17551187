import { Badge, Group, Stack, Text, Title } from '@mantine/core';
import { usePolicyDocuments } from '../../../api/policies/documents';
import type { PolicyTerm } from '../../../api/policies/policyTypes';
import { type QuoteInfo, STATUS } from '../../../api/types';
import { formatDate, formatDateTime, todayInLondon } from '../../../lib/dates/dates';
import { useNow } from '../../../lib/dates/now';
import { CoverLines } from '../../../shared/cover/CoverLines';
import { lastDay } from '../../../shared/cover/lastDay';
import { Partner } from '../../../shared/cover/Partner';
import { formatStart } from '../../../shared/cover/startText';
import { ofProduct, ProductDocuments } from '../../../shared/documents/ProductDocuments';
import { Price } from '../../../shared/money/Price';
import { Facts } from '../../../ui/basics/Facts';
import { Panel } from '../../../ui/basics/Panel';
import { PrintButton } from '../../../ui/basics/PrintButton';
import classes from './Policy.module.css';

/** Shows the policy ID, the product and the status. */
export function Heading({ info, policy }: { info: QuoteInfo; policy: PolicyTerm }) {
  const live = info.status_id === STATUS.live;
  const last = lastDay(policy);
  const now = useNow();
  const hasBegun = live && last !== null && Date.parse(policy.cover_begins) <= now;
  return (
    <Group justify="space-between" align="flex-start" gap="0.5rem 1rem">
      <div>
        <Title order={1}>Policy ID: {info.custom_id}</Title>
        <Text c="dimmed">{info.product_title}</Text>
      </div>
      <Group gap="0.75rem 1rem">
        <Badge
          size="lg"
          tt="none"
          variant={live && !hasBegun ? 'outline' : 'filled'}
          color={hasBegun ? 'green' : 'ink.6'}
        >
          {info.status_title}
        </Badge>
        {live && last !== null && !hasBegun && (
          <span>{formatStart(policy.cover_begins, todayInLondon(new Date(now)))}</span>
        )}
        <PrintButton label="Print this policy" />
      </Group>
    </Group>
  );
}

/** Shows the partner, the reference, the price, the cover and the product's documents. */
export function Summary({ info }: { info: QuoteInfo }) {
  const { price } = info;
  const { data: policyDocuments } = usePolicyDocuments(info.uuid, null);
  const documents = ofProduct(policyDocuments?.documents.flatMap((group) => group.documents) ?? []);
  return (
    <Panel title="Your Policy">
      <Stack gap="sm">
        <Partner aggregator={info.aggregator} />
        <Text fw={650} className="tabular">
          Policy ID: {info.custom_id}
        </Text>
        {price && (
          <div>
            <Title order={3} className="hint">
              Your Premium
            </Title>
            <Price
              amount={price.amount_total}
              currency={price.currency}
              per={price.per}
              size="lg"
            />
          </div>
        )}
        <CoverLines lines={info.summary} />
        <ProductDocuments documents={documents} />
      </Stack>
    </Panel>
  );
}

/**
 * Returns the row about a scheduled or past early end of cover. Returns no row without an early
 * end.
 */
function earlyEnd({
  pending_cancellation: scheduled,
  cancellation: completed,
  inception,
}: PolicyTerm) {
  const end = scheduled ?? completed;
  if (!end) return [];
  if (scheduled && !scheduled.last_day && scheduled.effective_date <= inception) {
    return [['Cover', `Is cancelled before it begins on ${formatDate(inception)}`]] as const;
  }
  const day = end.last_day
    ? `${formatDate(end.last_day)}, at the end of the day`
    : formatDate(end.effective_date);
  return [[scheduled ? 'Cover ends' : 'Cover ended', day]] as const;
}

export function Dates({ policy }: { policy: PolicyTerm }) {
  const rows = [
    ['Your Cover Dates', `${formatDate(policy.inception)} to ${formatDate(policy.expiry)}`],
    ...earlyEnd(policy),
    ...(lastDay(policy) ? [['Cover begins', formatDateTime(policy.cover_begins)] as const] : []),
    ['Bought', formatDateTime(policy.purchased)],
  ] as const;
  return (
    <Panel title="Dates">
      <Facts rows={rows} className={`facts ${classes.facts}`} />
    </Panel>
  );
}
