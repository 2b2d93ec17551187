import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { errorsOf, reasonOf, statusOf } from '../../../api/failure';
import { refreshProfile, useProfile } from '../../../api/hooks';
import { paths } from '../../../lib/routes/paths';
import { useSubmit } from '../../../lib/useSubmit';
import { AppLink } from '../../../ui/basics/AppLink';
import { ContactLine, MessagePage } from '../../../ui/feedback/MessagePage';
import { FormError } from '../../../ui/inputs/FormError';
import { useAddressSecret } from '../addressSecret';
import { confirmEmail } from '../calls';

function ToAccount({ label = 'My Account' }: { label?: string }) {
  return (
    <Button component={AppLink} to={paths.dashboard()}>
      {label}
    </Button>
  );
}

/**
 * Shows the page that the mail about a new mail address links to. Mail scanners also open links, so
 * only a button confirms the address.
 */
export function ConfirmEmailScreen() {
  const { secret, forget } = useAddressSecret('#', 'layby.confirm');
  const [confirmed, setConfirmed] = useState<string | null>(null);
  const { working, failure, run } = useSubmit(errorsOf);
  const { data: profile } = useProfile();

  // The tab may later open the link of another mail, with another secret.
  if (confirmed && (!secret || secret === confirmed)) {
    return (
      <MessagePage title="Your email address is confirmed" actions={<ToAccount />}>
        <Text>From now on it is the one that we write to, and the one that you log in with.</Text>
      </MessagePage>
    );
  }
  if (!secret) {
    return (
      <MessagePage title="Please open the link in our mail" actions={<ToAccount />}>
        <Text>You can confirm a new email address here by the link that we sent to it.</Text>
        <ContactLine />
      </MessagePage>
    );
  }
  if (statusOf(failure) === 404) {
    return (
      <MessagePage title="This link no longer works" actions={<ToAccount />}>
        <Text>
          It was used already, it is too old, or it is for another account than yours. Your account
          shows the email address that we write to; there you can ask for another link by changing
          it again.
        </Text>
        <ContactLine />
      </MessagePage>
    );
  }
  const press = () =>
    void run(async () => {
      await confirmEmail(secret);
      setConfirmed(secret);
      forget();
      void refreshProfile();
    });
  return (
    <MessagePage
      title="Confirm your email address"
      actions={
        <Button disabled={working} onClick={press}>
          {working ? 'Please wait...' : 'Confirm'}
        </Button>
      }
    >
      <Text>Please press Confirm, and your account uses this mailbox's address from then on.</Text>
      {profile === null && (
        <Text>We ask you to log in first, with the email address you have used until now.</Text>
      )}
      <FormError texts={[failure ? reasonOf(failure) : null]} />
    </MessagePage>
  );
}
