import { Button, Text } from '@mantine/core';
import { AppLink } from '../../../components/basics/AppLink';
import { AskUs, Notice } from '../../../components/feedback/Notice';
import { paths } from '../../../lib/paths';

/** Shown if this browser may see no payment attempt of this id. */
export function NoPayment({ uuid }: { uuid: string }) {
  return (
    <Notice
      title="There is no payment under way"
      actions={
        <Button component={AppLink} to={paths.payment(uuid)}>
          Go to the payment
        </Button>
      }
    >
      <Text>We haven't been asked to take a payment for this quote from this browser.</Text>
      <AskUs />
    </Notice>
  );
}
