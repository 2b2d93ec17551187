import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useSite } from '../../../api/hooks';
import { formatLongDate } from '../../../lib/dates/dates';
import { Price } from '../../../shared/money/Price';
import { NoGateway } from '../../../shared/payment/NoGateway';
import type { Premium } from '../price/pricing';
import type { StepperState } from '../steps/stepperState';
import { type AutoRenewChoice, AutoRenewOption } from './AutoRenewOption';

interface Props {
  /** The amount to pay, and the first day of cover. */
  stepper: Pick<StepperState, 'price' | 'quoteStartDate'>;
  premium: Premium | null;
  autoRenew: AutoRenewChoice;
  /** The next term is quoted this many days before the end of cover. */
  leadDays: number;
}

/**
 * Shows the amount to pay, the first day of cover, the option of automatic renewal, and the terms.
 */
export function BeforePaying({ stepper, premium, autoRenew, leadDays }: Props) {
  const { data: site } = useSite();
  const starts = stepper.quoteStartDate;
  return (
    <Stack gap="0.25rem" className="panel">
      <Group component="p" justify="space-between" wrap="nowrap" fz="1.375rem" fw={650}>
        <span>To pay</span>
        <Price
          amount={stepper.price}
          currency={premium?.currency}
          per={premium?.per}
          basis={premium?.basis}
        />
      </Group>
      {site?.providers.length === 0 ? (
        <NoGateway />
      ) : (
        <Text c="dimmed">
          You pay by card on the next page.
          {starts &&
            ` Your cover starts on ${formatLongDate(starts)}; you see the exact time as soon as you have paid.`}
        </Text>
      )}
      {premium?.per === 'year' && site?.renews_by_card && (
        <AutoRenewOption {...autoRenew} leadDays={leadDays} />
      )}
      {site && (
        <Text c="dimmed">
          <Anchor href={site.links.terms} target="_blank" rel="noopener noreferrer">
            Read the terms and conditions
          </Anchor>{' '}
          (opens in a new tab)
        </Text>
      )}
    </Stack>
  );
}
