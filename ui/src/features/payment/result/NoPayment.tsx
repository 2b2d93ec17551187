import { Button, Text } from '@mantine/core';
import { paths } from '../../../lib/routes/paths';
import { AppLink } from '../../../ui/basics/AppLink';
import { ContactLine, MessagePage } from '../../../ui/feedback/MessagePage';

/** Tells that the server has returned no payment attempt for this id. */
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
