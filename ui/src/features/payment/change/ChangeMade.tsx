import { Button, Container, Loader, Stack, Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import { Navigate } from 'react-router';
import { forgetPolicy } from '../../../api/policies/policy';
import { formatLongDate } from '../../../lib/dates/dates';
import { formatMoney } from '../../../lib/format/money';
import { paths } from '../../../lib/routes/paths';
import { useDocumentTitle } from '../../../lib/routes/title';
import { AccountAddress } from '../../../shared/address/AccountAddress';
import { AppLink } from '../../../ui/basics/AppLink';
import { Panel } from '../../../ui/basics/Panel';
import { PrintButton } from '../../../ui/basics/PrintButton';
import { LoadError } from '../../../ui/errors/LoadError';
import { PageSkeleton } from '../../../ui/feedback/PageSkeleton';
import { TickIcon } from '../../../ui/icons/icons';
import { PlanPaid } from '../plan/PlanPaid';
import { ResultActions, ResultBody } from '../ResultLayout';
import { ChangeSummary } from './ChangeSummary';
import { ChangeWithdrawn } from './ChangeWithdrawn';
import { isWithdrawn, usePaidAdjustment } from './usePaidAdjustment';

/**
 * Shows the page after the payment of a change. The change is applied, agreed for a later day, or
 * still pending.
 */
export function ChangeMade({ uuid, error }: { uuid: string; error?: unknown }) {
  const paid = usePaidAdjustment(uuid, true);
  const status = paid.state === 'found' ? paid.adjustment.status : null;
  const agreed = status === 'agreed';
  const isDone = status === 'applied' || agreed;
  const policy = isDone && paid.state === 'found' ? paid.policy : null;
  const title = agreed ? 'Your change is agreed' : 'Your change is made';
  useDocumentTitle(isDone ? title : 'Your change');

  // The cached policy is older than the payment.
  useEffect(() => {
    if (policy) void forgetPolicy(policy);
  }, [policy]);

  if (paid.state === 'loading') return <PageSkeleton label="Loading your change" />;
  if (paid.state === 'failed') {
    return <LoadError what="policy" error={paid.error} onRetry={paid.retry} />;
  }
  if (paid.state === 'none') {
    return <LoadError what="policy" error={error} onRetry={() => window.location.reload()} />;
  }
  if (paid.state === 'plan') return <PlanPaid payment={uuid} />;
  const { adjustment } = paid;
  if (isWithdrawn(adjustment))
    return <ChangeWithdrawn policy={paid.policy} adjustment={adjustment} />;
  // The change expired, or was superseded before it was agreed. The failure page explains the
  // refund.
  if (!isDone && status !== 'pending') {
    return <Navigate to={paths.paymentFailure(uuid)} replace />;
  }
  return (
    <Container size={720}>
      <Stack gap="lg">
        <Panel>
          <ResultBody role="status">
            {isDone ? (
              <span className="mark">
                <TickIcon size={44} />
              </span>
            ) : (
              <Loader aria-hidden="true" />
            )}
            <Title order={1}>{isDone ? title : 'We are making your change'}</Title>
            <Text>
              You paid {formatMoney(adjustment.amount_now)}. From{' '}
              {formatLongDate(adjustment.effective_date)} your cover is as below.
              {agreed && ' Until then it stays as it is.'}
            </Text>
            {isDone && (
              <Text>
                {agreed
                  ? 'Until that day you can withdraw the change on the page of your policy. We send you an email that says so.'
                  : 'Your new documents are being made. We send you an email when they are there.'}
              </Text>
            )}
            <ResultActions>
              <Button component={AppLink} to={paths.policyView(paid.policy)}>
                View your policy
              </Button>
              <PrintButton label="Print this page" />
            </ResultActions>
          </ResultBody>
        </Panel>
        <AccountAddress policy={paid.policy} adjustment={adjustment} />
        <ChangeSummary adjustment={adjustment} />
      </Stack>
    </Container>
  );
}
