import { Button, Container, Stack, Text, Title } from '@mantine/core';
import { useId, useState } from 'react';
import { LoginForm } from '../../components/LoginForm';
import { Panel } from '../../components/Panel';

interface Props {
  /** Whether the visitor was sent here to log in, and so needn't ask for the card. */
  wanted: boolean;
  onLogin: () => void;
}

export function LoggedOut({ wanted, onLogin }: Props) {
  const [open, setOpen] = useState(wanted);
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
              <LoginForm onDone={onLogin} />
            </Panel>
          </div>
        )}
      </Stack>
    </Container>
  );
}
