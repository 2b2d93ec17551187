import { Anchor, Button, Container, Stack, Text, Title } from '@mantine/core';
import { Navigate } from 'react-router';
import { usePolicyRead } from '../../../api/hooks';
import { usePolicyDocuments } from '../../../api/policies/documents';
import type { PolicyTerm } from '../../../api/policies/policyTypes';
import type { QuoteInfo } from '../../../api/types';
import { formatDate, formatLongDate, formatTime } from '../../../lib/dates/dates';
import { formatMoney } from '../../../lib/format/money';
import { paths } from '../../../lib/routes/paths';
import { useDocumentTitle } from '../../../lib/routes/title';
import { AccountPlace, PolicyAccount } from '../../../shared/account/PolicyAccount';
import { Partner } from '../../../shared/cover/Partner';
import { endedText, endText } from '../../../shared/cover/policyStatusText';
import { DocumentList } from '../../../shared/documents/DocumentList';
import { CoverHelp } from '../../../shared/help/CoverHelp';
import { afterSaleText } from '../../../shared/payment/monthlyText';
import { RescueCardPanel } from '../../../shared/rescue-card/RescueCardPanel';
import { AppLink } from '../../../ui/basics/AppLink';
import { Facts } from '../../../ui/basics/Facts';
import { Panel } from '../../../ui/basics/Panel';
import { PrintButton } from '../../../ui/basics/PrintButton';
import { LoadError } from '../../../ui/errors/LoadError';
import { MessagePage } from '../../../ui/feedback/MessagePage';
import { PageSkeleton, SectionSkeleton } from '../../../ui/feedback/PageSkeleton';
import { RetryLine } from '../../../ui/feedback/RetryLine';
import { TickIcon } from '../../../ui/icons/icons';
import { ChangeMade } from '../change/ChangeMade';
import { isNotFound } from '../change/usePaidAdjustment';
import { useForChange, useForPlan } from '../paymentRoute';
import { PlanPaid } from '../plan/PlanPaid';
import { Reference, ResultActions, ResultBody } from '../ResultLayout';
import { AddToCalendar } from './AddToCalendar';
import classes from './SuccessScreen.module.css';

function Cover({ info, term }: { info: QuoteInfo; term: PolicyTerm }) {
  const { cover_begins: begins, paid } = term;
  return (
    <Panel title="Your cover">
      <Partner aggregator={info.aggregator} mb="sm" />
      <Facts
        rows={[
          ['Cover begins', `${formatTime(begins)} on ${formatLongDate(begins)}`],
          [
            'Your Cover Dates',
            `${formatDate(info.dates.inception)} to ${formatDate(info.dates.expiry)}`,
          ],
          ['Paid', formatMoney(paid, info.price?.currency)],
        ]}
      />
      <ul className={`lines ${classes.part}`}>
        {info.summary.map((line) => (
          <li key={line.code}>{line.text}</li>
        ))}
      </ul>
      <AddToCalendar info={info} term={term} />
    </Panel>
  );
}

function Documents({ uuid }: { uuid: string }) {
  const read = usePolicyDocuments(uuid, null);
  const { data: payment, error } = read;
  return (
    <Panel title="Your documents" className="screenOnly">
      {payment && <DocumentList groups={payment.documents} quote={uuid} />}
      {!payment && !error && <SectionSkeleton label="Loading your documents" height={160} />}
      {!payment && error && <RetryLine text="Your documents could not be loaded." read={read} />}
      <Text size="sm" mt="sm">
        We email you the link to them, and keep them{' '}
        <Anchor component={AppLink} underline="always" to={paths.policyView(uuid, 'documents')}>
          with your policy
        </Anchor>
        .
      </Text>
    </Panel>
  );
}

/** Shows the page of a payment whose policy has ended. */
function EndedPolicy({
  uuid,
  reference,
  title,
}: {
  uuid: string;
  reference: string;
  title: string;
}) {
  useDocumentTitle(title);
  return (
    <MessagePage
      title={title}
      actions={
        <Button component={AppLink} to={paths.policyView(uuid)}>
          View your policy
        </Button>
      }
    >
      <Text>
        Your reference is <Reference id={reference} />. The page of your policy has its documents,
        and what was paid and came back.
      </Text>
    </MessagePage>
  );
}

/** Shows the page after a payment for a quote, for a change of a policy, or of its plan. */
export function SuccessScreen({ uuid }: { uuid: string }) {
  const change = useForChange();
  const isOfPlan = useForPlan();
  if (isOfPlan) return <PlanPaid payment={uuid} />;
  return change ? <ChangeMade uuid={uuid} /> : <PurchasedPolicy uuid={uuid} />;
}

function PurchasedPolicy({ uuid }: { uuid: string }) {
  useDocumentTitle('Payment complete');
  const { data: policy, error, mutate } = usePolicyRead(uuid);

  if (!policy) {
    if (isNotFound(error)) return <ChangeMade uuid={uuid} error={error} />;
    if (error) return <LoadError what="policy" error={error} onRetry={() => mutate()} />;
    return <PageSkeleton label="Loading your policy" />;
  }
  const { info, policy: term } = policy;
  // There is no policy yet. The processing page shows the payment's state.
  if (!term) return <Navigate to={paths.paymentProcessing(uuid)} replace />;
  const endedMessage = endedText(policy);
  if (endedMessage)
    return <EndedPolicy uuid={uuid} reference={info.custom_id} title={endedMessage} />;
  const hasBegun = new Date(term.cover_begins) <= new Date();
  const ending = term.pending_cancellation;
  const currency = info.price?.currency;
  const planText =
    term.plan && afterSaleText(term.plan, term.paid, (each) => formatMoney(each, currency));
  return (
    <Container size={720}>
      <Stack gap="lg">
        <Panel>
          <ResultBody>
            <span className="mark">
              <TickIcon size={44} />
            </span>
            <Title order={1}>Thank you. Your policy is set up</Title>
            <Text>
              Your reference is <Reference id={info.custom_id} />
            </Text>
            <Text>
              Your cover {hasBegun ? 'began' : 'begins'} at {formatTime(term.cover_begins)} on{' '}
              {formatLongDate(term.cover_begins)}.{ending && ` ${endText(ending)}.`}
            </Text>
            {planText && <Text>{planText}</Text>}
            <ResultActions>
              <Button component={AppLink} to={paths.policyView(uuid)}>
                View your policy
              </Button>
              <PrintButton label="Print this page" />
            </ResultActions>
          </ResultBody>
        </Panel>
        <AccountPlace ownership={info.account}>
          <PolicyAccount read={policy} />
        </AccountPlace>
        <Cover info={info} term={term} />
        <RescueCardPanel uuid={uuid} product={info.product_identifier} owner={false} />
        <Documents uuid={uuid} />
        <CoverHelp
          product={info.product_identifier}
          begins={term.cover_begins}
          reference={info.custom_id}
          follows={term.renews}
        />
      </Stack>
    </Container>
  );
}
