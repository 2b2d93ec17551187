import { Button, Container, Text, Title } from '@mantine/core';
import { useCallback } from 'react';
import { Navigate } from 'react-router';
import { usePolicyRead } from '../../../api/hooks';
import { forgetPolicy } from '../../../api/policies/policy';
import { formatEnd, formatLongDate, todayInLondon, toIsoDate } from '../../../lib/dates/dates';
import { useNow } from '../../../lib/dates/now';
import { paths } from '../../../lib/routes/paths';
import { useDocumentTitle } from '../../../lib/routes/title';
import { endedText } from '../../../shared/cover/policyStatusText';
import { Price } from '../../../shared/money/Price';
import { AppLink } from '../../../ui/basics/AppLink';
import { Panel } from '../../../ui/basics/Panel';
import { LoadError } from '../../../ui/errors/LoadError';
import { ContactLine, MessagePage } from '../../../ui/feedback/MessagePage';
import { PageSkeleton } from '../../../ui/feedback/PageSkeleton';
import { CardPayment } from '../gateway/CardPayment';
import { PaymentColumns } from '../PaymentLayout';
import { PaymentTop } from '../pay/PaymentTop';
import { ToPay } from '../pay/Purchase';
import { FOR_CHANGE } from '../paymentRoute';
import { PlanLeft } from '../plan/PlanLeft';
import { ChangeSummary } from './ChangeSummary';
import { ChangeWithdrawn } from './ChangeWithdrawn';
import { isWithdrawn, usePaidAdjustment } from './usePaidAdjustment';

/**
 * Shows the payment page of a change. `error` is the failure of reading the id as a quote. The page
 * shows this error if there is no change.
 */
export function PayForChange({ uuid, error }: { uuid: string; error?: unknown }) {
  useDocumentTitle('Pay for your change');
  const due = usePaidAdjustment(uuid);
  const now = useNow();
  const policy = due.state === 'found' ? due.policy : null;
  const stale = useCallback(() => {
    if (policy) void forgetPolicy(policy);
  }, [policy]);

  if (due.state === 'loading') return <PageSkeleton label="Loading your change" size={1140} />;
  if (due.state === 'failed') {
    return <LoadError what="policy" error={due.error} onRetry={due.retry} />;
  }
  if (due.state === 'none') {
    return <LoadError what="quote" error={error} onRetry={() => window.location.reload()} />;
  }
  if (due.state === 'plan') return <PlanLeft payment={due.payment} />;
  const { adjustment } = due;
  if (isWithdrawn(adjustment)) {
    return <ChangeWithdrawn policy={due.policy} adjustment={adjustment} />;
  }
  if (adjustment.status === 'applied' || adjustment.status === 'agreed') {
    return <Navigate to={paths.paymentSuccess(uuid)} state={FOR_CHANGE} replace />;
  }
  if (adjustment.status !== 'pending' || Date.parse(adjustment.expires) <= now) {
    return <RunOut policy={due.policy} superseded={adjustment.status === 'superseded'} />;
  }
  const startsLater = adjustment.effective_date > toIsoDate(todayInLondon());
  return (
    <Container size={1140}>
      <PaymentTop back={paths.quoteEdit(due.policy, { adjustment: uuid })} />
      <Title order={1} mb="lg">
        Pay for your change
      </Title>
      <PaymentColumns>
        <Panel title="Card payment">
          <CardPayment uuid={uuid} onStale={stale} />
        </Panel>
        <ChangeSummary adjustment={adjustment}>
          <ToPay>
            <Price amount={adjustment.amount_now} size="lg" />
          </ToPay>
          <Text className="hint" mt="0.25rem">
            Insurance premium tax is included. We hold this price until{' '}
            {formatEnd(adjustment.expires)}.{' '}
            {startsLater
              ? `Your cover changes on ${formatLongDate(adjustment.effective_date)}, once it is paid.`
              : 'Your cover changes once it is paid.'}
          </Text>
        </ChangeSummary>
      </PaymentColumns>
    </Container>
  );
}

/** Tells that the offered price of a change is no longer valid. */
function RunOut({ policy, superseded }: { policy: string; superseded: boolean }) {
  const { data: read } = usePolicyRead(policy);
  const endedMessage = read && endedText(read);
  const first = endedMessage ?? 'Another change or a cancellation of your policy came first';
  return (
    <MessagePage
      title={endedMessage || superseded ? 'This price no longer holds' : 'This price has run out'}
      actions={
        <>
          {read?.policy?.can.change && (
            <Button component={AppLink} to={paths.quoteEdit(policy)}>
              Work it out again
            </Button>
          )}
          <Button component={AppLink} to={paths.policyView(policy)} variant="default">
            Back to your policy
          </Button>
        </>
      }
    >
      <Text>
        {endedMessage || superseded
          ? `${first}, so this price no longer holds.`
          : 'We hold the price of a change for a day, and that is over.'}{' '}
        This change was not made.
      </Text>
      <ContactLine />
    </MessagePage>
  );
}
