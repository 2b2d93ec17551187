import { Button, Text } from '@mantine/core';
import { paths } from '../../../lib/routes/paths';
import { AppLink } from '../../../ui/basics/AppLink';
import { ContactLine, MessagePage } from '../../../ui/feedback/MessagePage';

/** Explains that a mailed link to reset a password is missing, unknown, used or expired. */
export function ExpiredLink({ missing = false }: { missing?: boolean }) {
  return (
    <MessagePage
      title={missing ? 'Please open the link in our mail' : 'This link no longer works'}
      actions={
        <Button component={AppLink} to={paths.retrievePassword()}>
          Send me a new link
        </Button>
      }
    >
      <Text>
        {missing
          ? 'You can set a new password here after you follow the link that we send to your mailbox.'
          : 'A link to a new password works once, and only for a short time.'}
      </Text>
      <ContactLine />
    </MessagePage>
  );
}
