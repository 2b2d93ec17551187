import { Button, Text } from '@mantine/core';
import { useSite } from '../../api/hooks';
import { formatLongDate, formatTime } from '../../lib/dates/dates';
import { telHref } from '../../lib/format/phone';
import { Panel } from '../../ui/basics/Panel';
import { Mail } from '../../ui/contact/Contact';
import { PhoneIcon } from '../../ui/icons/icons';
import { lastDay } from '../cover/lastDay';
import { uncoveredDaysText } from '../renewal/renewalText';
import { useLinkedPolicy } from '../renewal/useLinkedPolicy';
import { useCoverHelp } from './useCoverHelp';

interface Props {
  product: string;
  begins: string;
  reference: string;
  /** The uuid of the policy before this one. */
  follows?: string | null;
  /** Whether the policy covers only the days of single trips. */
  trips?: boolean;
}

/**
 * Shows the help text for a claim. Before cover begins, the text also says that cover has not
 * started. If an earlier policy is live, the text instead names that policy and its last day.
 */
export function CoverHelp({ product, begins, reference, follows, trips }: Props) {
  const { data: site } = useSite();
  const help = useCoverHelp(product);
  const earlier = useLinkedPolicy(follows);
  const earlierEnd = earlier && lastDay(earlier.policy);
  if (!site || !help) return null;
  const isFuture = new Date(begins) > new Date();
  const gap = earlier && uncoveredDaysText(earlier.policy);
  return (
    <Panel title={help.title} className="amberTop">
      {isFuture && (
        <Text mb="sm">
          {earlier && earlierEnd ? (
            <>
              You stay covered by {earlier.reference} until {formatLongDate(earlierEnd)}.{' '}
              {gap ? `${gap} From ${formatLongDate(begins)} on:` : 'From then on:'}
            </>
          ) : (
            <>
              {help.event ?? 'What happens'} before {formatTime(begins)} on {formatLongDate(begins)}{' '}
              is not covered yet. From then on:
            </>
          )}
        </Text>
      )}
      {trips && <Text mb="sm">Only the days of the trips that you named are covered.</Text>}
      <Text mb="md">
        {help.text} Your policy ID is {reference}.
      </Text>
      <Button
        component="a"
        href={telHref(help.phone)}
        leftSection={<PhoneIcon />}
        color="amber.5"
        c="var(--layby-ink)"
      >
        {help.phone}
      </Button>
      {help.hours && (
        <Text mt="sm">
          {help.hours}, or write to <Mail address={site.email} />.
        </Text>
      )}
    </Panel>
  );
}
