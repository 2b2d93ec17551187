import { Button, Container, Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import { Navigate } from 'react-router';
import { usePolicyRead } from '../../../api/hooks';
import { useCards } from '../../../api/policies/plans';
import { refreshPolicy } from '../../../api/policies/policy';
import { formatMoney } from '../../../lib/format/money';
import { paths } from '../../../lib/routes/paths';
import { useDocumentTitle } from '../../../lib/routes/title';
import { cardWithId } from '../../../shared/plan/cardText';
import { nextPaymentText } from '../../../shared/plan/planText';
import { AppLink } from '../../../ui/basics/AppLink';
import { Panel } from '../../../ui/basics/Panel';
import { PrintButton } from '../../../ui/basics/PrintButton';
import { LoadError } from '../../../ui/errors/LoadError';
import { PageSkeleton } from '../../../ui/feedback/PageSkeleton';
import { TickIcon } from '../../../ui/icons/icons';
import { Reference, ResultActions, ResultBody } from '../ResultLayout';
import { NoPayment } from '../result/NoPayment';
import { usePaymentStatus } from '../result/usePaymentStatus';

/** Shows the page after a payment of a policy's plan. `id` is the payment's. */
export function PlanPaid({ payment: id }: { payment: string }) {
  useDocumentTitle('Payment complete');
  const { data: payment, error, mutate } = usePaymentStatus(id, 'backoff');
  const policy = payment?.policy_uuid ?? null;
  const isPaid = payment?.status === 'paid';

  // The cached policy may be older than the payment.
  useEffect(() => {
    if (policy && isPaid) void refreshPolicy(policy);
  }, [policy, isPaid]);

  if (payment === undefined) {
    if (error) return <LoadError what="payment" error={error} onRetry={() => mutate()} />;
    return <PageSkeleton label="Loading your payment" />;
  }
  if (payment === null) return <NoPayment uuid={id} />;
  // The processing page leads to the page of the payment's state.
  if (!isPaid || !policy) return <Navigate to={paths.paymentProcessing(id)} replace />;
  return (
    <Container size={720}>
      <Panel>
        <ResultBody role="status">
          <span className="mark">
            <TickIcon size={44} />
          </span>
          <Title order={1}>Thank you. Your payment has arrived</Title>
          <Text>
            You paid {formatMoney(payment.amount)} for policy <Reference id={payment.custom_id} />
          </Text>
          <NextPayment policy={policy} />
          <ResultActions>
            <Button component={AppLink} to={paths.policyView(policy)}>
              View your policy
            </Button>
            <Button component={AppLink} to={paths.dashboard('payments')} variant="default">
              All payments and cards
            </Button>
            <PrintButton label="Print this page" />
          </ResultActions>
        </ResultBody>
      </Panel>
    </Container>
  );
}

/** Says what is due next. Shows nothing while it is read, or if it could not be read. */
function NextPayment({ policy }: { policy: string }) {
  const { data: read, isValidating: isReading, error } = usePolicyRead(policy);
  const { data: cards, isValidating: isReadingCards } = useCards();
  const plan = read?.policy?.plan;
  if (!plan || error || isReading || isReadingCards) return null;
  const card = cardWithId(cards, plan.card_id);
  return <Text>{nextPaymentText(plan, card, read.info.price?.currency)}</Text>;
}
