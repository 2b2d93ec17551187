import { Button, Text } from '@mantine/core';
import type { Payment } from '../../../api/types';
import { formatMoney } from '../../../lib/format/money';
import { paths } from '../../../lib/routes/paths';
import { AppLink } from '../../../ui/basics/AppLink';
import { ContactLine, MessagePage } from '../../../ui/feedback/MessagePage';

/** Shows what to do after the customer left the gateway's page for a payment of a plan. */
export function PlanLeft({ payment }: { payment: Payment }) {
  return (
    <MessagePage
      title="You left the payment"
      actions={
        <>
          <Button component={AppLink} to={paths.policyView(payment.quote_uuid, 'payments')}>
            Back to your payments
          </Button>
          <Button
            component={AppLink}
            to={paths.paymentProcessing(payment.payment_id)}
            variant="default"
          >
            See how it stands
          </Button>
        </>
      }
    >
      <Text>
        You came back from a payment of {formatMoney(payment.amount)} for policy {payment.custom_id}
        . If you have not paid yet, you can pay from the page of your policy.
      </Text>
      <ContactLine />
    </MessagePage>
  );
}
