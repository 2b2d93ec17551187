import { Button, Stack, Text } from '@mantine/core';
import { Panel } from '../../components/basics/Panel';
import { askToLogin } from '../../lib/loginDialog';

/** Asks a customer without an account to log in before they change anything. */
export function LogInFirst({ uuid }: { uuid: string }) {
  return (
    <Panel title="Manage your policy">
      <Stack gap="md" align="flex-start">
        <Text>Log in to change, renew or cancel this policy.</Text>
        <Button onClick={() => void askToLogin({ quote: uuid })}>Login</Button>
        <Text size="sm" c="dimmed">
          New here? The email that came with your quote has the link to set your password.
        </Text>
      </Stack>
    </Panel>
  );
}
