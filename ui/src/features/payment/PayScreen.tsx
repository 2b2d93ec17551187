import { Button, Container, Loader, Text, Title } from '@mantine/core';
import { useCallback, useEffect } from 'react';
import { Navigate, useNavigate } from 'react-router';
import { ApiError, DEFAULT_MESSAGE } from '../../api/client';
import { useQuoteRead, useSite } from '../../api/hooks';
import type { QuoteInfo } from '../../api/types';
import { AppLink } from '../../components/AppLink';
import { BackIcon, LockIcon } from '../../components/icons';
import { AskUs } from '../../components/Notice';
import { Panel } from '../../components/Panel';
import { ReadFailed } from '../../components/ReadFailed';
import { Waiting } from '../../components/Waiting';
import { useDocumentTitle } from '../../lib/title';
import { CardFrame } from './CardFrame';
import { NotPayable } from './NotPayable';
import classes from './Payment.module.css';
import { Purchase } from './Purchase';
import { standing } from './standing';
import { useAttempt } from './useAttempt';
import { destination, forgetQuote, usePayment } from './usePayment';

/** Who handles the card. */
function processedBy(provider: string | undefined): string {
  return provider === 'sandbox'
    ? 'Card payments are processed by our built-in test gateway.'
    : `Your card is handled by ${provider}. We never see its number.`;
}

function StartFailed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const message = error instanceof ApiError ? error.message : DEFAULT_MESSAGE;
  return (
    <div role="alert" className={classes.stack}>
      <Text fw={600}>We couldn't open the card payment.</Text>
      <Text>{message}</Text>
      <Button onClick={onRetry}>Try again</Button>
      <AskUs />
    </div>
  );
}

function Card({ info }: { info: QuoteInfo }) {
  const navigate = useNavigate();
  const { data: site } = useSite();
  const provider = site?.providers[0];
  const { data: attempt, error, isValidating, mutate } = useAttempt(info.uuid, provider);
  const payment = usePayment(attempt ? info.uuid : null, 'steady');
  const refused = error instanceof ApiError && error.status === 409;

  // Another tab may have paid, or saved the quote anew: its own words are the truth.
  useEffect(() => {
    if (refused) forgetQuote(info.uuid);
  }, [refused, info.uuid]);

  const latest = payment.data?.payment_id === attempt?.payment_id ? payment.data : null;
  // A challenge counts as processing, and happens in the frame: only an end leads away.
  const end = destination(latest);
  useEffect(() => {
    if (end) {
      forgetQuote(info.uuid);
      navigate(end, { replace: true });
    }
  }, [end, info.uuid, navigate]);

  const done = useCallback(() => {
    navigate(`/payment/processing/${info.uuid}`, { replace: true });
  }, [info.uuid, navigate]);

  if (error && !isValidating) return <StartFailed error={error} onRetry={() => mutate()} />;
  if (!attempt) {
    return (
      <div className={classes.opening} role="status">
        <Loader size="sm" aria-hidden="true" /> Opening the card payment…
      </div>
    );
  }
  return (
    <div className={classes.stack}>
      {attempt.resumed && (
        <Text>You started to pay before. You can carry on from where you left.</Text>
      )}
      <CardFrame attempt={attempt} onDone={done} />
      <p className={classes.secure}>
        <LockIcon size={18} />
        <span>{processedBy(provider)}</span>
      </p>
    </div>
  );
}

export function PayScreen({ uuid }: { uuid: string }) {
  useDocumentTitle('Pay for your cover');
  const { data: quote, error, mutate } = useQuoteRead(uuid);

  if (!quote) {
    if (error) return <ReadFailed what="quote" error={error} onRetry={() => mutate()} />;
    return <Waiting label="Loading your quote" size={1040} />;
  }
  const { info } = quote;
  const state = standing(info, new Date());
  if (state === 'bought') return <Navigate to={`/policy/view/${uuid}`} replace />;
  if (state !== 'ready') return <NotPayable info={info} state={state} />;
  return (
    <Container size={1040}>
      <AppLink to={`/quote/edit/${uuid}`} className={classes.back}>
        <BackIcon /> Back
      </AppLink>
      <Title order={1} mb="lg">
        Pay for your cover
      </Title>
      <div className={classes.columns}>
        <Panel title="Card payment">
          <Card info={info} />
        </Panel>
        <Purchase info={info} amount={info.price?.amount_total ?? 0} />
      </div>
    </Container>
  );
}
