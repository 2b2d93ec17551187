import { Button, Text } from '@mantine/core';
import type { Adjustment } from '../../../api/policies/policyTypes';
import { formatEnd, formatLongDate } from '../../../lib/dates/dates';
import { useNow } from '../../../lib/dates/now';
import { formatMoney } from '../../../lib/format/money';
import { paths } from '../../../lib/routes/paths';
import { spreadText } from '../../../shared/plan/spreadText';
import { AppLink } from '../../../ui/basics/AppLink';
import { Panel } from '../../../ui/basics/Panel';
import { isDeclined, isOpen } from '../change/adjustments';

interface Props {
  uuid: string;
  adjustments: Adjustment[] | undefined;
  currency?: string;
}

function text({ amount_now: amount, is_spread: isSpread }: Adjustment, currency?: string): string {
  if (isSpread) return spreadText(amount, currency);
  if (amount > 0) return `It costs ${formatMoney(amount, currency)} today.`;
  if (amount < 0) return `${formatMoney(-amount, currency)} comes back to the card that paid.`;
  return 'It costs nothing.';
}

/**
 * Shows a link to a priced change that the customer has neither accepted nor declined, while the
 * price is valid.
 */
export function PendingChange({ uuid, adjustments, currency }: Props) {
  const now = useNow();
  const pendingChange = adjustments?.find((each) => isOpen(each, now) && !isDeclined(each));
  if (!pendingChange) return null;
  return (
    <Panel title="A change is waiting for you">
      <Text>
        You asked what a change from {formatLongDate(pendingChange.effective_date)} would cost.{' '}
        {text(pendingChange, currency)} We hold this price until {formatEnd(pendingChange.expires)}.
        Nothing has changed so far.
      </Text>
      <Button
        mt="md"
        component={AppLink}
        to={paths.quoteEdit(uuid, { adjustment: pendingChange.adjustment_id })}
      >
        Go on with it
      </Button>
    </Panel>
  );
}
