import { Anchor, Container, Loader, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { forgetQuote } from '../../../api/hooks';
import type { Payment } from '../../../api/types';
import { useGo } from '../../../lib/navigation/navigation';
import { paths } from '../../../lib/routes/paths';
import { useDocumentTitle } from '../../../lib/routes/title';
import { AppLink } from '../../../ui/basics/AppLink';
import { Panel } from '../../../ui/basics/Panel';
import { LoadError } from '../../../ui/errors/LoadError';
import { ContactLine } from '../../../ui/feedback/MessagePage';
import { PageSkeleton } from '../../../ui/feedback/PageSkeleton';
import { FOR_CHANGE } from '../paymentRoute';
import { ResultBody } from '../ResultLayout';
import { NoPayment } from './NoPayment';
import { destination, usePaymentStatus } from './usePaymentStatus';

/**
 * After this time, in milliseconds, the page shows a link to the payment page while the payment is
 * pending.
 */
const SLOW_AFTER_MS = 5000;
const LONG_MS = 30_000;

function useHasElapsed(ms: number): boolean {
  const [hasElapsed, setHasElapsed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setHasElapsed(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return hasElapsed;
}

const STATUS_TEXT = {
  paid: 'Your payment has arrived. We are setting up your policy.',
  ofPlan: 'Your payment has arrived.',
  processing: 'We are waiting for your bank to answer. This mostly takes a few seconds.',
  pending: 'We are asking whether your payment has arrived. This mostly takes a few seconds.',
} as const;

/** Returns the text of an open payment, or of an ended payment while its page loads. */
function statusText({ status, pays_plan: ofPlan }: Payment): string {
  if (status === 'processing' || status === 'pending') return STATUS_TEXT[status];
  return ofPlan ? STATUS_TEXT.ofPlan : STATUS_TEXT.paid;
}

/** Shows the page that waits for the end of the payment, without a time limit. */
export function ProcessingScreen({ uuid }: { uuid: string }) {
  useDocumentTitle('Confirming your payment');
  const go = useGo();
  const { data: payment, error, mutate } = usePaymentStatus(uuid, 'backoff');
  const isSlow = useHasElapsed(SLOW_AFTER_MS);
  const long = useHasElapsed(LONG_MS);
  const ofPlan = payment?.pays_plan === true;
  const end = destination(payment);
  const change = Boolean(payment?.adjustment_uuid);

  useEffect(() => {
    if (end) {
      // The cached quote is older than the sale, so the next page would show the quote as unsold.
      void forgetQuote(uuid);
      void go(end, { replace: true, state: change ? FOR_CHANGE : null });
    }
  }, [end, change, uuid, go]);

  if (payment === undefined) {
    if (error) return <LoadError what="payment" error={error} onRetry={() => mutate()} />;
    return <PageSkeleton label="Loading your payment" />;
  }
  if (payment === null) return <NoPayment uuid={uuid} />;
  return (
    <Container size={720}>
      <Panel>
        <ResultBody>
          <Loader aria-hidden="true" />
          <Title order={1}>Confirming your payment</Title>
          <div role="status">
            <Text>{statusText(payment)}</Text>
            {long && (
              <Text mt="sm">It is taking longer than usual. Please don't pay a second time.</Text>
            )}
          </div>
          {payment.status === 'pending' && isSlow && (
            <Text>
              If you left the card page before you had paid, you can{' '}
              <Anchor
                component={AppLink}
                underline="always"
                to={ofPlan ? paths.policyView(payment.quote_uuid, 'payments') : paths.payment(uuid)}
                state={change ? FOR_CHANGE : null}
              >
                go on paying
              </Anchor>
              .
            </Text>
          )}
          <Text c="dimmed">
            You can close this page. We carry on asking, and once the payment is confirmed{' '}
            {ofPlan
              ? 'it counts all the same'
              : `your ${change ? 'change goes ahead' : 'cover is set up'} all the same, and we email you`}
            . Come back to this page to see how it went. Your reference is{' '}
            <strong>{payment.custom_id}</strong>.
          </Text>
          {long && <ContactLine />}
        </ResultBody>
      </Panel>
    </Container>
  );
}
