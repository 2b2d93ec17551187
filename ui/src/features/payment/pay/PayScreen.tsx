import { Container, Title } from '@mantine/core';
import { useCallback, useState } from 'react';
import { Navigate } from 'react-router';
import { useQuoteRead } from '../../../api/hooks';
import { LAST_STEP, paths } from '../../../lib/routes/paths';
import { useDocumentTitle } from '../../../lib/routes/title';
import { Panel } from '../../../ui/basics/Panel';
import { LoadError } from '../../../ui/errors/LoadError';
import { PageSkeleton } from '../../../ui/feedback/PageSkeleton';
import { PayForChange } from '../change/PayForChange';
import { isNotFound } from '../change/usePaidAdjustment';
import { CardPayment } from '../gateway/CardPayment';
import { PaymentColumns } from '../PaymentLayout';
import { useForChange, usePlanChoice } from '../paymentRoute';
import { PayForPlan } from '../plan/PayForPlan';
import { NotPayable } from './NotPayable';
import { PaymentTop } from './PaymentTop';
import { Purchase } from './Purchase';
import { payability } from './payability';

/** Shows the payment page of a quote, of a change of a policy, or of its plan. */
export function PayScreen({ uuid }: { uuid: string }) {
  const change = useForChange();
  const plan = usePlanChoice();
  if (plan) return <PayForPlan policy={uuid} choice={plan} />;
  return change ? <PayForChange uuid={uuid} /> : <PayForQuote uuid={uuid} />;
}

function PayForQuote({ uuid }: { uuid: string }) {
  useDocumentTitle('Pay for your cover');
  const { data: quote, error, mutate } = useQuoteRead(uuid);
  const stale = useCallback(() => void mutate(), [mutate]);
  const state = quote && payability(quote, new Date());
  const [wasReady, setWasReady] = useState(false);
  if (state === 'ready' && !wasReady) setWasReady(true);

  if (!quote || !state) {
    if (isNotFound(error)) return <PayForChange uuid={uuid} error={error} />;
    if (error) return <LoadError what="quote" error={error} onRetry={() => mutate()} />;
    return <PageSkeleton label="Loading your quote" size={1140} />;
  }
  const { info } = quote;
  const plan = quote.payment_frequency === 'monthly' ? quote.plan : null;
  if (state === 'bought') {
    // If the quote was payable on this page before, the customer has just paid. The page may read
    // the bought quote before the ended payment.
    const page = wasReady ? paths.paymentSuccess(uuid) : paths.policyView(uuid);
    return <Navigate to={page} replace />;
  }
  if (state !== 'ready') return <NotPayable info={info} state={state} />;
  return (
    <Container size={1140}>
      <PaymentTop back={paths.quoteEdit(uuid, { step: LAST_STEP })} />
      <Title order={1} mb="lg">
        Pay for your cover
      </Title>
      <PaymentColumns>
        <Panel title="Card payment">
          <CardPayment uuid={uuid} isMonthly={plan !== null} onStale={stale} />
        </Panel>
        <Purchase info={info} plan={plan} />
      </PaymentColumns>
    </Container>
  );
}
