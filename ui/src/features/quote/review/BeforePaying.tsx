import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useSite } from '../../../api/hooks';
import { formatLongDate } from '../../../lib/dates/dates';
import { Price } from '../../../shared/money/Price';
import { NoGateway } from '../../../shared/payment/NoGateway';
import { PaymentChoice } from '../monthly/PaymentChoice';
import type { MonthlyChoice } from '../monthly/useMonthlyChoice';
import type { MonthlyOffer } from '../monthly/useMonthlyOffer';
import type { Premium } from '../price/pricing';
import type { StepperState } from '../steps/stepperState';
import { type AutoRenewChoice, AutoRenewOption } from './AutoRenewOption';

interface Props {
  /** The amount to pay, and the first day of cover. */
  stepper: Pick<StepperState, 'price' | 'quoteStartDate'>;
  premium: Premium | null;
  /** Whether the customer pays monthly. Undefined for an unsaved quote, which is paid annually. */
  monthly?: { choice: MonthlyChoice; offer: MonthlyOffer };
  /** The first payment of a customer who pays monthly. */
  firstPayment: number | null;
  autoRenew: AutoRenewChoice;
  /** The text of the consent to automatic renewal. It is stored with the payment. */
  consent: string;
}

/**
 * Shows how to pay, the amount to pay, the first day of cover, the option of automatic renewal, and
 * the terms.
 */
export function BeforePaying(props: Props) {
  const { stepper, premium, monthly, firstPayment, autoRenew, consent } = props;
  const { data: site } = useSite();
  const starts = stepper.quoteStartDate;
  const isMonthly = firstPayment !== null;
  return (
    <Stack gap="0.25rem" className="panel">
      {premium && monthly && <PaymentChoice premium={premium} {...monthly} />}
      <Group component="p" justify="space-between" wrap="nowrap" fz="1.375rem" fw={650}>
        <span>{isMonthly ? 'To pay now' : 'To pay'}</span>
        <Price
          amount={firstPayment ?? stepper.price}
          currency={premium?.currency}
          per={isMonthly ? undefined : premium?.per}
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
      {premium?.per === 'year' && (site?.renews_by_card || isMonthly) && (
        <AutoRenewOption {...autoRenew} consent={consent} />
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
