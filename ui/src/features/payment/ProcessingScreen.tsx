import { Container, Loader, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { forgetQuote } from '../../api/hooks';
import { Panel } from '../../components/basics/Panel';
import { ReadFailed } from '../../components/errors/ReadFailed';
import { AskUs } from '../../components/feedback/Notice';
import { Waiting } from '../../components/feedback/Waiting';
import { FOR_CHANGE } from '../../lib/payingForChange';
import { useDocumentTitle } from '../../lib/title';
import { NoPayment } from './NoPayment';
import classes from './Payment.module.css';
import { destination, usePaymentStatus } from './usePaymentStatus';

const LONG_MS = 30_000;

/** Waits until the payment has ended, however long the bank takes. */
export function ProcessingScreen({ uuid }: { uuid: string }) {
  useDocumentTitle('Confirming your payment');
  const navigate = useNavigate();
  const { data: payment, error, mutate } = usePaymentStatus(uuid, 'backoff');
  const [long, setLong] = useState(false);
  const end = destination(payment);
  const change = Boolean(payment?.adjustment_uuid);

  useEffect(() => {
    const timer = setTimeout(() => setLong(true), LONG_MS);
    return () => clearTimeout(timer);
  }, []);

  useEffect(() => {
    if (end) {
      // The cached quote is from before the sale, and would be shown as not bought.
      void forgetQuote(uuid);
      navigate(end, { replace: true, state: change ? FOR_CHANGE : null });
    }
  }, [end, change, uuid, navigate]);

  if (payment === undefined) {
    if (error) return <ReadFailed what="quote" error={error} onRetry={() => mutate()} />;
    return <Waiting label="Loading your payment" />;
  }
  if (payment === null) return <NoPayment uuid={uuid} />;
  return (
    <Container size={720}>
      <Panel>
        <div className={classes.centred}>
          <Loader aria-hidden="true" />
          <Title order={1}>Confirming your payment</Title>
          <div role="status">
            <Text>
              {payment.status === 'paid'
                ? 'Your payment has arrived. We are setting up your policy.'
                : 'We are waiting for your bank to answer. This mostly takes a few seconds.'}
            </Text>
            {long && (
              <Text mt="sm">It is taking longer than usual. Please don't pay a second time.</Text>
            )}
          </div>
          <Text c="dimmed">
            You can close this page. We carry on asking, and once the payment is confirmed your{' '}
            {payment.adjustment_uuid ? 'change goes ahead' : 'cover is set up'} all the same. Come
            back to this page to see how it went. Your reference is{' '}
            <strong>{payment.custom_id}</strong>.
          </Text>
          {long && <AskUs />}
        </div>
      </Panel>
    </Container>
  );
}
