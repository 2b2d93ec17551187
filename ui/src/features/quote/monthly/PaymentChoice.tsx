import { Alert, Stack, Text } from '@mantine/core';
import { useSite } from '../../../api/hooks';
import type { PlanOffer } from '../../../api/types';
import { ChoiceTiles } from '../../../form/fields/ChoiceTiles';
import { useMoney } from '../../../shared/money/currency';
import {
  choiceText,
  MONTHLY_GRANTOR,
  MONTHLY_NOTES,
  notOfferedText,
  planText,
} from '../../../shared/payment/monthlyText';
import { RetryLine } from '../../../ui/feedback/RetryLine';
import type { Premium } from '../price/pricing';
import type { MonthlyChoice } from './useMonthlyChoice';
import type { MonthlyOffer } from './useMonthlyOffer';

interface Props {
  premium: Premium;
  choice: MonthlyChoice;
  offer: MonthlyOffer;
}

/** Asks whether to pay at once or monthly, if the price can be paid monthly. */
export function PaymentChoice({ premium, choice, offer }: Props) {
  const writeIn = useMoney();
  const write = (amount: number) => writeIn(amount, premium.currency);
  const { plan, isPending, isFailed } = offer;
  const isMissing = choice.isOn && !plan && !isPending && !isFailed;
  return (
    <>
      {(choice.isRefused || isMissing) && (
        <Alert color="amber" role="alert" mb="md">
          {notOfferedText(write(premium.amount))}
        </Alert>
      )}
      {isFailed && <RetryLine text="The monthly payments could not be loaded." read={offer} />}
      {plan && (
        <Stack gap="md" mb="md" c={isPending ? 'dimmed' : undefined}>
          <ChoiceTiles
            id="payment-frequency"
            name="payment-frequency"
            legend="At once or monthly?"
            prominent
            choices={[
              {
                value: 'annual',
                label: `Pay ${write(premium.amount)} now`,
                description: 'One payment for the whole year.',
              },
              {
                value: 'monthly',
                label: `Pay monthly: ${choiceText(plan, write)}`,
                description: 'The same price, spread over the year.',
              },
            ]}
            value={choice.isOn ? 'monthly' : 'annual'}
            onChange={(value) => choice.onChange(value === 'monthly')}
          />
          {choice.isOn && <PlanDetails plan={plan} write={write} />}
        </Stack>
      )}
    </>
  );
}

/** Shows what a customer must know before paying monthly. */
function PlanDetails({ plan, write }: { plan: PlanOffer; write: (amount: number) => string }) {
  const { data: site } = useSite();
  const notes = site?.insurer_grants_monthly ? [MONTHLY_GRANTOR, ...MONTHLY_NOTES] : MONTHLY_NOTES;
  return (
    <Stack gap="sm">
      <Text fw={600}>{planText(plan, write)}</Text>
      <Text>{plan.consent}</Text>
      <ul className="bullets">
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </Stack>
  );
}
