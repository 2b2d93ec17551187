import { Button, Loader, Text } from '@mantine/core';
import { useCallback, useEffect } from 'react';
import { useNavigate } from 'react-router';
import { ApiError, DEFAULT_MESSAGE } from '../../api/client';
import { useSite } from '../../api/hooks';
import { AskUs } from '../../components/feedback/Notice';
import { LockIcon } from '../../components/icons/icons';
import { useAnnounce } from '../../lib/announce';
import { paths } from '../../lib/paths';
import { FOR_CHANGE, useJustBegun } from '../../lib/payingForChange';
import { CardFrame } from './CardFrame';
import classes from './Payment.module.css';
import { destination, forgetPayment, usePaymentStatus } from './usePaymentStatus';
import { useStartPayment } from './useStartPayment';

const OPENING = 'Opening the card payment…';

/** The sentence that says who processes the card. */
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

interface Props {
  /** uuid of a quote or of a change of a policy. */
  uuid: string;
  /** Reads the quote or change again. */
  onStale: () => void;
}

/** The gateway's form, until the payment has ended. */
export function CardPayment({ uuid, onStale }: Props) {
  const navigate = useNavigate();
  const begun = useJustBegun();
  const { data: site } = useSite();
  const provider = site?.providers[0];
  const { data: attempt, error, isValidating, mutate } = useStartPayment(uuid, provider);
  const payment = usePaymentStatus(attempt ? uuid : null, 'steady');
  const refused = error instanceof ApiError && error.status === 409;

  // Another tab may have paid or saved the quote again, so it is read again.
  useEffect(() => {
    if (refused) onStale();
  }, [refused, onStale]);

  const latest = payment.data?.payment_id === attempt?.payment_id ? payment.data : null;
  // During the bank's challenge, which is in the frame, the status is "processing": only an ended
  // attempt leads to another page.
  const end = destination(latest);
  const change = Boolean(latest?.adjustment_uuid);
  useEffect(() => {
    if (end) {
      onStale();
      navigate(end, { replace: true, state: change ? FOR_CHANGE : null });
    }
  }, [end, change, onStale, navigate]);

  const done = useCallback(() => {
    void forgetPayment(uuid);
    navigate(paths.paymentProcessing(uuid), { replace: true });
  }, [uuid, navigate]);

  useAnnounce(attempt || (error && !isValidating) ? null : OPENING);

  if (error && !isValidating) return <StartFailed error={error} onRetry={() => mutate()} />;
  if (!attempt) {
    return (
      <div className={classes.opening}>
        <Loader size="sm" aria-hidden="true" /> {OPENING}
      </div>
    );
  }
  return (
    <div className={classes.stack}>
      {attempt.resumed && !begun && (
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
