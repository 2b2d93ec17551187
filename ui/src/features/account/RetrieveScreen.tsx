import { Anchor, Container, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { AppLink } from '../../components/basics/AppLink';
import { Panel } from '../../components/basics/Panel';
import { useAddressSecret } from '../../lib/addressSecret';
import { paths } from '../../lib/paths';
import { useDocumentTitle } from '../../lib/title';
import { useSignal } from '../../lib/useSignal';
import { LOGIN_WANTED } from './ChangedCard';
import { RequestLink } from './RequestLink';
import { RetrievePassword } from './RetrievePassword';
import { newUser } from './resetMode';

/**
 * The page for a forgotten password: it sends the mail and, opened by its link, asks for the new
 * password.
 */
export function RetrieveScreen() {
  useDocumentTitle('Forgotten password');
  const { secret, forget } = useAddressSecret('hash', 'layby.retrieve');
  const known = useSignal(newUser);
  const [username, setUsername] = useState(known ?? '');
  const navigate = useNavigate();

  async function proceed() {
    await navigate(paths.dashboard(), { state: LOGIN_WANTED });
    forget();
  }

  return (
    <Container size={560}>
      {secret ? (
        <Panel title="Choose a new password" level={1}>
          <Stack gap="md">
            <RetrievePassword hash={secret} onDone={() => void proceed()} />
            <Anchor component="button" type="button" size="sm" w="fit-content" onClick={forget}>
              Send me a new link
            </Anchor>
          </Stack>
        </Panel>
      ) : (
        <Panel title="Forgotten your password?" level={1}>
          <Stack gap="md">
            <Text>Tell us your username, and we'll send you a link to choose a new password.</Text>
            <RequestLink username={username} onUsername={setUsername} />
            <Anchor
              component={AppLink}
              to={paths.dashboard()}
              state={LOGIN_WANTED}
              size="sm"
              w="fit-content"
            >
              Back to login
            </Anchor>
          </Stack>
        </Panel>
      )}
    </Container>
  );
}
