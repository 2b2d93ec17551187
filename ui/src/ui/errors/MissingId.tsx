import { Button, Text } from '@mantine/core';
import { paths } from '../../lib/routes/paths';
import { AppLink } from '../basics/AppLink';
import { ContactLine, MessagePage } from '../feedback/MessagePage';

/** Says that an address lacks the id of a quote, policy or payment. */
export function MissingId({ what }: { what: 'payment' | 'policy' | 'quote' }) {
  return (
    <MessagePage
      title={`There is no ${what} to show`}
      actions={
        <Button component={AppLink} to={paths.home()}>
          Start a quote
        </Button>
      }
    >
      <Text>The address you followed doesn't say which {what} it is about.</Text>
      <ContactLine />
    </MessagePage>
  );
}
