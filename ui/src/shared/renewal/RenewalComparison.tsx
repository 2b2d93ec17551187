import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useRenewal } from '../../api/policies/policy';
import type { Activity, Renewal } from '../../api/policies/policyTypes';
import { formatLongDate } from '../../lib/dates/dates';
import { formatMoney } from '../../lib/format/money';
import { Panel } from '../../ui/basics/Panel';
import { SectionSkeleton } from '../../ui/feedback/PageSkeleton';
import { RetryLine } from '../../ui/feedback/RetryLine';
import { MoneyLines } from '../money/MoneyLines';
import { PriceBoxes } from '../money/PriceBoxes';
import { CARD_UNCLEAR } from './renewalText';
import { useLinkedPolicy } from './useLinkedPolicy';

interface Props {
  quote: string;
  currency?: string;
  /** Buttons below the comparison. */
  actions?: ReactNode;
}

/** Returns the text about automatic renewal: what happens if the customer does nothing. */
export function autoRenewalText(renewal: Renewal, currency?: string): string {
  const last = formatLongDate(renewal.last_day);
  const unless = `unless you renew it, your cover ends on ${last} and nothing is charged.`;
  switch (renewal.next_year) {
    case 'incomplete':
      return `It can't renew by itself as it stands: ${unless}`;
    case 'charging':
      return 'We are charging the card that paid for it. We write to you when it has paid, or has not.';
    case 'card_unclear':
      return CARD_UNCLEAR;
    case 'card_refused':
      return `The card that paid for it has not paid for the renewal, and nothing was taken: ${unless}`;
    case 'ended':
      return 'Nothing is charged unless you renew it.';
    case 'renewed':
      return 'It is renewed already.';
    case 'undone':
    case 'declined':
    case 'single_trip':
      return `Nothing is charged: your cover ends on ${last}.`;
  }
  if (renewal.next_year !== 'by_itself') return `It doesn't renew by itself: ${unless}`;
  if (renewal.price === null || renewal.charge_on === null) {
    return `It can't renew by itself as it stands: ${unless}`;
  }
  const day = formatLongDate(renewal.charge_on);
  return `It renews by itself: we charge ${formatMoney(renewal.price, currency)} to the card that paid for it on ${day}. You can switch that off on your policy's page until then.`;
}

/** Returns the text about the start of the next year. */
function beginsText({ next_year, last_day, starts }: Renewal, gap: boolean): string {
  if (next_year === 'ended') {
    return `Your cover ended on ${formatLongDate(last_day)}. You can still renew it on ${formatLongDate(starts)}: your next year begins when you pay, and what happens before that is not covered.`;
  }
  return `Your next year would begin on ${formatLongDate(starts)}${gap ? '.' : ', without a gap.'}`;
}

/** Returns the text about the days without cover between a cancellation and the next year. */
function gapText({ is_by_shop: isByShop }: Activity, last: string): string {
  const cause = isByShop ? 'We will end' : 'You asked to cancel';
  const advice = isByShop ? '' : ' Keep your cover on the page of that policy if you want no gap.';
  return `${cause} your current policy: its cover ends on ${formatLongDate(last)}, and the days after it are not covered. It doesn't renew by itself.${advice}`;
}

function Prices(props: { renewal: Renewal; lastDay: string; currency?: string }) {
  const { renewal, lastDay, currency } = props;
  const current =
    renewal.next_year === 'ended' ? 'Your cover that ended on' : 'Your current cover, until';
  const prices = [
    [`${current} ${formatLongDate(lastDay)}`, renewal.price_last_year],
    [`Your next year, from ${formatLongDate(renewal.starts)}`, renewal.price],
    ['A new customer today', renewal.price_new_customer],
  ] as const;
  return (
    <PriceBoxes
      prices={prices.map(([label, amount], index) => ({
        label,
        figure: amount === null ? 'Not offered yet' : formatMoney(amount, currency),
        isHighlighted: index === 1,
      }))}
    />
  );
}

/**
 * Shows the prices of the current cover, of the next year and of a new customer. Also shows the
 * reasons for a new price. The renewal's letter and notice use the same terms for the prices
 * (docs/GLOSSARY.md).
 */
export function RenewalComparison({ quote, currency, actions }: Props) {
  const read = useRenewal(quote);
  const { data: renewal, error } = read;
  const ending = useLinkedPolicy(renewal?.policy_uuid)?.policy.pending_cancellation ?? null;
  const endsOn = ending && (ending.last_day ?? ending.effective_date);
  return (
    <div id="renewal" tabIndex={-1} style={{ outline: 'none' }}>
      <Panel title="Your renewal">
        {!renewal && error && <RetryLine text="The prices could not be loaded." read={read} />}
        {!renewal && !error && <SectionSkeleton label="Loading your renewal" height={160} />}
        {renewal && (
          <Stack gap="md">
            <Text>{beginsText(renewal, ending !== null)}</Text>
            {ending && endsOn && <Text>{gapText(ending, endsOn)}</Text>}
            <Prices renewal={renewal} lastDay={endsOn ?? renewal.last_day} currency={currency} />
            {renewal.change_from && (
              <Text>
                The change that you agreed for {formatLongDate(renewal.change_from)} is counted in,
                in the prices of your current cover and of your next year.
              </Text>
            )}
            {renewal.price !== null && renewal.differences.length > 0 && (
              <div>
                <Title order={3} size="md">
                  Why the price is different
                </Title>
                <MoneyLines
                  caption="From your current cover to your next year"
                  lines={renewal.differences}
                  totals={[
                    { label: 'Difference', amount: renewal.price - renewal.price_last_year },
                  ]}
                  currency={currency}
                  signed
                />
              </div>
            )}
            {renewal.compare_text && <Text>{renewal.compare_text}</Text>}
            <Text>
              What you cover, where you live and how much cover you need may have changed: you can
              change it before you renew.
            </Text>
            {!ending && (
              <Text size="sm" c="dimmed">
                {autoRenewalText(renewal, currency)}
              </Text>
            )}
          </Stack>
        )}
        {actions && (
          <Group gap="sm" mt="1.25rem" className="screenOnly">
            {actions}
          </Group>
        )}
      </Panel>
    </div>
  );
}
