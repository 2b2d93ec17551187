import { Button, Container, Stack, Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import { useSite } from '../../../api/hooks';
import type { Payment } from '../../../api/types';
import { useGo } from '../../../lib/navigation/navigation';
import { isPage, LAST_STEP, paths } from '../../../lib/routes/paths';
import { useDocumentTitle } from '../../../lib/routes/title';
import { AppLink } from '../../../ui/basics/AppLink';
import { Panel } from '../../../ui/basics/Panel';
import { Mail, Phone } from '../../../ui/contact/Contact';
import { LoadError } from '../../../ui/errors/LoadError';
import { PageSkeleton } from '../../../ui/feedback/PageSkeleton';
import { CrossIcon } from '../../../ui/icons/icons';
import { FOR_CHANGE } from '../paymentRoute';
import { Reference, ResultActions, ResultBody } from '../ResultLayout';
import { NoPayment } from './NoPayment';
import { destination, isOpen, isUnclear, usePaymentStatus } from './usePaymentStatus';

/** The texts about the refund of a payment that bought nothing, by the status of the refund. */
const REFUND_TEXT: Record<Payment['refund'], { title: string; text: string }> = {
  none: {
    title: 'Your payment is being refunded',
    text: 'Your payment goes back to the card that paid.',
  },
  pending: {
    title: 'Your payment is being refunded',
    text: 'Your payment is on its way back to the card that paid. That can take a few working days.',
  },
  disputed: {
    title: 'Your refund waits for your bank',
    text: 'Your bank is deciding a dispute of your payment, and the refund waits for that. If the payment stands, the refund goes to the card that paid. If your bank gives you the money, no refund follows.',
  },
  paid: {
    title: 'Your payment was refunded',
    text: 'Your payment was paid back to you. Your bank may need a few working days to show it.',
  },
  unconfirmed: {
    title: 'Your refund is not confirmed',
    text: 'We asked for your refund and could not confirm it yet. We will check it and contact you, or you can call us.',
  },
  refused: {
    title: 'Your refund has not reached you',
    text: 'The refund to your card could not be made, so we still owe it to you. We will contact you to pay it another way, or you can call us.',
  },
};

const OTHER_CURRENCY =
  'The bank took the money in another currency than it should have. We will contact you to give it back.';

function refundReason(payment: Payment): string {
  if (payment.pays_plan) return 'What you wanted to pay was no longer due.';
  if (payment.adjustment_uuid) return 'The change could no longer be made.';
  if (payment.refund_reason === 'too_late') {
    return 'Your payment reached us too late to start your cover.';
  }
  return payment.policy
    ? 'This cover was already paid for.'
    : 'Your payment was not needed: it bought nothing.';
}

/**
 * Returns the text about the charge. Says "no charge" only if the server knows that the card was
 * not charged.
 */
export function chargeText(payment: Payment): string {
  if (payment.unresolved === 'other_currency') return OTHER_CURRENCY;
  if (payment.reversed) return payment.message ?? '';
  if (payment.status === 'refunded')
    return `${refundReason(payment)} ${REFUND_TEXT[payment.refund].text}`;
  if (payment.charged === false) return 'No charge was made to your card.';
  return "We don't know yet whether your card was charged.";
}

function titleOf(payment: Payment): string {
  if (payment.unresolved === 'other_currency') return 'Your card was charged in another currency';
  if (payment.reversed) return 'Your payment was taken back';
  if (isUnclear(payment)) return "We don't know yet how your payment ended";
  return payment.status === 'refunded'
    ? REFUND_TEXT[payment.refund].title
    : 'Your payment did not go through';
}

interface PartProps {
  payment: Payment;
  uuid: string;
}

/** Shows the next steps while the charge is unclear, or while a person must resolve the payment. */
function UnclearPayment({ payment, uuid }: PartProps) {
  const change = Boolean(payment.adjustment_uuid);
  const ofPlan = payment.pays_plan;
  const isOfPolicy = change || ofPlan;
  const success = change ? 'your change is made' : 'your cover is set up';
  return (
    <>
      <Text>
        {payment.unresolved !== 'other_currency' && 'We could not find out by ourselves. '}
        Please call us before you pay a second time.
      </Text>
      {payment.unresolved !== 'other_currency' && (
        <Text>
          If the payment went through after all,{' '}
          {ofPlan ? 'it counts' : `${success} and we email you`}, or the money goes back to your
          card.
        </Text>
      )}
      <Button
        component={AppLink}
        to={
          isOfPolicy
            ? paths.policyView(payment.policy_uuid ?? payment.quote_uuid)
            : paths.quoteEdit(uuid, { step: LAST_STEP })
        }
        variant="default"
      >
        {isOfPolicy ? 'Back to your policy' : 'Back to your quote'}
      </Button>
    </>
  );
}

/** What helps after a failed payment. The gateways' codes are not shown: only the bank can explain. */
const TRY_AGAIN =
  'You can try again, with the same card or another one. If your card was refused, only your bank ' +
  'can tell you why.';

function NextSteps({ payment, uuid }: PartProps) {
  if (payment.reversed) {
    return (
      <Button component={AppLink} to={paths.policyView(payment.quote_uuid)}>
        View your policy
      </Button>
    );
  }
  if (payment.pays_plan) {
    return (
      <>
        {payment.status === 'failed' && <Text>{TRY_AGAIN}</Text>}
        <Button component={AppLink} to={paths.policyView(payment.quote_uuid, 'payments')}>
          {payment.status === 'failed' ? 'Try again' : 'See your payments'}
        </Button>
      </>
    );
  }
  if (payment.adjustment_uuid) {
    return (
      <>
        <Text>This change was not made.</Text>
        {payment.status === 'failed' && <Text>{TRY_AGAIN}</Text>}
        <ResultActions>
          {payment.status === 'failed' && (
            <Button component={AppLink} to={paths.payment(uuid)} state={FOR_CHANGE}>
              Try again
            </Button>
          )}
          <Button
            component={AppLink}
            to={paths.policyView(payment.policy_uuid ?? payment.quote_uuid)}
            variant="default"
          >
            Back to your policy
          </Button>
        </ResultActions>
      </>
    );
  }
  if (payment.policy) {
    return (
      <Button component={AppLink} to={paths.policyView(uuid)}>
        View your policy
      </Button>
    );
  }
  return (
    <>
      {payment.status === 'failed' && <Text>{TRY_AGAIN}</Text>}
      <Text>Your answers are kept: nothing has to be typed again except the card.</Text>
      <ResultActions>
        {payment.refund_reason !== 'too_late' && (
          <Button component={AppLink} to={paths.payment(uuid)}>
            Try again
          </Button>
        )}
        <Button
          component={AppLink}
          to={paths.quoteEdit(uuid, { step: LAST_STEP })}
          variant="default"
        >
          Back to your quote
        </Button>
      </ResultActions>
    </>
  );
}

function OtherPaymentOptions({ ofPolicy }: { ofPolicy: boolean }) {
  const { data: site } = useSite();
  if (!site) return null;
  return (
    <Panel title="Other ways to pay">
      <Text>
        Call <Phone number={site.phone} /> ({site.hours}) and we will help you pay another way or
        find out what went wrong, or email <Mail address={site.email} />.
        {!ofPolicy && ' Your quote is kept.'}
      </Text>
    </Panel>
  );
}

export function FailureScreen({ uuid }: { uuid: string }) {
  const go = useGo();
  const { data: payment, error, mutate } = usePaymentStatus(uuid, 'backoff');
  useDocumentTitle(payment ? titleOf(payment) : 'Your payment');

  // If the attempt is open again or has succeeded, another page shows the attempt.
  const elsewhere = isOpen(payment) ? paths.paymentProcessing(uuid) : destination(payment);
  const leaves = elsewhere !== null && !isPage(elsewhere, 'paymentFailure');
  useEffect(() => {
    if (leaves && elsewhere) void go(elsewhere, { replace: true });
  }, [leaves, elsewhere, go]);

  if (payment === undefined || leaves) {
    if (error) return <LoadError what="payment" error={error} onRetry={() => mutate()} />;
    return <PageSkeleton label="Loading your payment" />;
  }
  if (payment === null) return <NoPayment uuid={uuid} />;
  const change = Boolean(payment.adjustment_uuid);
  const isOfPolicy = change || payment.pays_plan;
  return (
    <Container size={720}>
      <Stack gap="lg">
        <Panel>
          <ResultBody>
            {payment.charged === false && (
              <span className="mark" data-kind="failure">
                <CrossIcon size={40} />
              </span>
            )}
            <Title order={1}>{titleOf(payment)}</Title>
            {payment.status === 'failed' && payment.message && !payment.unresolved && (
              <Text>{payment.message}</Text>
            )}
            <Text fw={600}>{chargeText(payment)}</Text>
            <Text>
              {change || payment.policy ? 'Policy' : 'Quote'} ID:{' '}
              <Reference id={payment.custom_id} />
            </Text>
            {isUnclear(payment) || (payment.unresolved && !payment.reversed) ? (
              <UnclearPayment payment={payment} uuid={uuid} />
            ) : (
              <NextSteps payment={payment} uuid={uuid} />
            )}
          </ResultBody>
        </Panel>
        {(isOfPolicy || !payment.policy) && <OtherPaymentOptions ofPolicy={isOfPolicy} />}
      </Stack>
    </Container>
  );
}
