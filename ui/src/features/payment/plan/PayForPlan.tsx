import { Button, Container, Text, Title } from '@mantine/core';
import { useCallback } from 'react';
import { usePolicyRead } from '../../../api/hooks';
import type { PlanChoice } from '../../../api/policies/plans';
import type { PolicyPlan, PolicyRead } from '../../../api/policies/policyTypes';
import { formatDate } from '../../../lib/dates/dates';
import { formatMoney } from '../../../lib/format/money';
import { paths } from '../../../lib/routes/paths';
import { useDocumentTitle } from '../../../lib/routes/title';
import { Price } from '../../../shared/money/Price';
import { laterText } from '../../../shared/payment/monthlyText';
import { chargingText, nextPayment, sumOf } from '../../../shared/plan/planText';
import { AppLink } from '../../../ui/basics/AppLink';
import { Panel } from '../../../ui/basics/Panel';
import { LoadError } from '../../../ui/errors/LoadError';
import { MessagePage } from '../../../ui/feedback/MessagePage';
import { PageSkeleton } from '../../../ui/feedback/PageSkeleton';
import { CardPayment } from '../gateway/CardPayment';
import { PaymentColumns } from '../PaymentLayout';
import { PaymentTop } from '../pay/PaymentTop';
import { ToPay } from '../pay/Purchase';

/** The number of payments that are listed without a press, so that the card is near on a phone. */
const FEW = 3;

interface Props {
  /** The policy's uuid. */
  policy: string;
  choice: PlanChoice;
}

/** Shows the payment page of a policy's plan: of what is due, or of all that is left. */
export function PayForPlan({ policy, choice }: Props) {
  useDocumentTitle('Pay for your policy');
  const { data: read, error, mutate } = usePolicyRead(policy);
  const stale = useCallback(() => void mutate(), [mutate]);

  if (!read) {
    if (error) return <LoadError what="policy" error={error} onRetry={() => mutate()} />;
    return <PageSkeleton label="Loading your payments" size={1140} />;
  }
  const plan = read.policy?.plan;
  if (!plan || plan.status === 'ended') {
    return <NothingDue policy={policy} text="No monthly payment of this policy is due." />;
  }
  if (plan.is_charging) {
    return (
      <NothingDue
        policy={policy}
        title={plan.is_unclear ? 'Please call us' : 'A payment is under way'}
        text={chargingText(plan)}
      />
    );
  }
  const toPay = paymentsToPay(plan, choice);
  if (toPay.length === 0) {
    return <NothingDue policy={policy} text="You have paid all that is due at the moment." />;
  }
  return (
    <Container size={1140}>
      <PaymentTop back={paths.policyView(policy, 'payments')} />
      <Title order={1} mb="lg">
        Pay for your policy
      </Title>
      <PaymentColumns>
        <Panel title="Card payment">
          {choice.keepCard && <KeptCard plan={plan} toPay={toPay} read={read} />}
          <CardPayment uuid={policy} isMonthly={choice.keepCard} onStale={stale} />
        </Panel>
        <ToPayFor read={read} payments={toPay} />
      </PaymentColumns>
    </Container>
  );
}

type Payments = PolicyPlan['payments'];

interface KeptCardProps {
  read: PolicyRead;
  plan: PolicyPlan;
  toPay: Payments;
}

/** Shows what the card pays later, and the consent to it. */
function KeptCard({ read: { info }, plan, toPay }: KeptCardProps) {
  const upcoming = plan.payments.filter((own) => own.state === 'upcoming' && !toPay.includes(own));
  const bought = plan.payments[0];
  const text =
    bought &&
    laterText([bought, ...upcoming], (amount) => formatMoney(amount, info.price?.currency));
  return (
    <>
      {text && <Text mb="xs">Later, this card pays {text}.</Text>}
      <Text mb="md">{plan.consent}</Text>
    </>
  );
}

/** Returns what a payment pays. If nothing is due, another card pays the next payment. */
function paymentsToPay(plan: PolicyPlan, { rest, keepCard }: PlanChoice): Payments {
  const toPay = plan.payments.filter(
    ({ state }) => state === 'due' || (rest && state === 'upcoming'),
  );
  const next = nextPayment(plan);
  return toPay.length === 0 && keepCard && next ? [next] : toPay;
}

function ToPayFor({ read: { info }, payments }: { read: PolicyRead; payments: Payments }) {
  const currency = info.price?.currency;
  const list = (
    <dl className="facts">
      {payments.map(({ due, amount }) => (
        <div key={due}>
          <dt>Monthly payment of {formatDate(due)}</dt>
          <dd>{formatMoney(amount, currency)}</dd>
        </div>
      ))}
    </dl>
  );
  return (
    <Panel title="What you are paying">
      <Text fw={600}>{info.product_title}</Text>
      <Text mb="sm">Policy {info.custom_id}</Text>
      {payments.length > FEW ? (
        <details className="more">
          <summary>{payments.length} monthly payments</summary>
          {list}
        </details>
      ) : (
        list
      )}
      <ToPay>
        <Price amount={sumOf(payments)} currency={currency} size="lg" />
      </ToPay>
    </Panel>
  );
}

interface NothingDueProps {
  policy: string;
  title?: string;
  text: string;
}

function NothingDue({ policy, title = 'Nothing is due', text }: NothingDueProps) {
  return (
    <MessagePage
      title={title}
      actions={
        <Button component={AppLink} to={paths.policyView(policy)}>
          View your policy
        </Button>
      }
    >
      <Text>{text}</Text>
    </MessagePage>
  );
}
