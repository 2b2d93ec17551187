import { Button, Container, Stack, Text, Title } from '@mantine/core';
import { useId, useState } from 'react';
import { Panel } from '../../components/basics/Panel';
import { LoginForm } from '../../components/login/LoginForm';
import { useSignal } from '../../lib/useSignal';
import { newUser } from './resetMode';

interface Props {
  /** Whether the visitor was sent here to log in, so that the login card is open at once. */
  wanted: boolean;
  /** Whether the login card gets the focus. */
  focus: boolean;
}

export function LoggedOut({ wanted, focus }: Props) {
  const [open, setOpen] = useState(wanted);
  const known = useSignal(newUser);
  const card = useId();
  return (
    <Container size={560}>
      <Stack gap="lg">
        <Panel>
          <Title order={1} mb="xs">
            Please Log in to proceed
          </Title>
          <Text mb="lg">
            This page is for existing users. Here you can track previous purchases and outstanding
            orders, and view or change your account details.
          </Text>
          <Button
            variant={open ? 'default' : 'filled'}
            aria-expanded={open}
            aria-controls={open ? card : undefined}
            onClick={() => setOpen(!open)}
          >
            {open ? 'Cancel' : 'Login'}
          </Button>
        </Panel>
        {open && (
          <div id={card}>
            <Panel title="Login">
              <LoginForm defaultUsername={known ?? ''} focus={focus} />
            </Panel>
          </div>
        )}
      </Stack>
    </Container>
  );
}
