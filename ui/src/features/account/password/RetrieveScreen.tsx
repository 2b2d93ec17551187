import { Anchor, Stack } from '@mantine/core';
import { useId } from 'react';
import { useGo } from '../../../lib/navigation/navigation';
import { useDocumentTitle } from '../../../lib/routes/title';
import { useSignal } from '../../../lib/useSignal';
import { AppLink } from '../../../ui/basics/AppLink';
import { LinkButton } from '../../../ui/basics/LinkButton';
import { Panel } from '../../../ui/basics/Panel';
import { useAddressSecret } from '../addressSecret';
import { AuthLayout } from '../login/AuthLayout';
import { LOGIN_WANTED, loginAddress } from './ChangedCard';
import { RequestLink } from './RequestLink';
import { RetrievePassword } from './RetrievePassword';
import { newUser } from './resetMode';

/**
 * Shows the page for a forgotten password. Without a secret, the page requests the mail with the
 * link. With the secret of the link, the page asks for the new password.
 */
export function RetrieveScreen() {
  useDocumentTitle('Forgotten password');
  const { secret, forget } = useAddressSecret('hash', 'layby.retrieve');
  const user = useSignal(newUser);
  const go = useGo();
  const title = useId();

  async function proceed() {
    await go(loginAddress(), { state: LOGIN_WANTED });
    forget();
  }

  return secret ? (
    <AuthLayout title="Choose a new password" id={title} intro={null}>
      <Panel named={title}>
        <Stack gap="md">
          <RetrievePassword hash={secret} onDone={() => void proceed()} />
          <LinkButton size="sm" w="fit-content" onClick={forget}>
            Send me a new link
          </LinkButton>
        </Stack>
      </Panel>
    </AuthLayout>
  ) : (
    <AuthLayout
      title="Forgotten your password?"
      id={title}
      intro={<p>Tell us your username, and we'll send you a link to choose a new password.</p>}
    >
      <Panel named={title}>
        <Stack gap="md">
          <RequestLink username={user ?? ''} />
          <Anchor
            component={AppLink}
            to={loginAddress()}
            state={LOGIN_WANTED}
            size="sm"
            w="fit-content"
          >
            Back to login
          </Anchor>
        </Stack>
      </Panel>
    </AuthLayout>
  );
}
