import { Button, Text } from '@mantine/core';
import { AppLink } from '../../../components/basics/AppLink';
import { ContactLine, MessagePage } from '../../../components/feedback/MessagePage';
import { paths } from '../../../lib/routes/paths';

/** Shown if this browser may see no payment attempt of this id. */
export function NoPayment({ uuid }: { uuid: string }) {
  return (
    <MessagePage
      title="There is no payment under way"
      actions={
        <Button component={AppLink} to={paths.payment(uuid)}>
          Go to the payment
        </Button>
      }
    >
      <Text>We haven't been asked to take a payment for this quote from this browser.</Text>
      <ContactLine />
    </MessagePage>
  );
}
