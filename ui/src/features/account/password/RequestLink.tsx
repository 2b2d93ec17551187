import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { isPassing, reasonOf } from '../../../api/failure';
import { showSnackbar } from '../../../lib/messages/snackbar';
import { FormError } from '../../../ui/inputs/FormError';
import { USERNAME_HINT, UsernameInput } from '../../../ui/inputs/UsernameInput';
import { useServerForm } from '../../../ui/inputs/useServerForm';
import { requestLink } from '../calls';

export const LINK_SENT = 'Check your mailbox for email with password reset link';
export const NOT_SENT = 'Error. Please check username and try again.';

interface Props {
  /** The initial username. */
  username: string;
  onUsername?: (username: string) => void;
}

/**
 * Shows the form that requests the mail with the link. The server's response does not reveal
 * whether the username exists.
 */
export function RequestLink({ username, onUsername }: Props) {
  const [sent, setSent] = useState(false);
  const { values, working, failure, ...form } = useServerForm({
    initialValues: { username },
    onValuesChange: (typed) => onUsername?.(typed.username),
  });
  const name = values.username.trim();

  const send = async () => {
    if (name === '') return;
    setSent(false);
    await form.run(async () => {
      try {
        await requestLink(name);
      } catch (refusal) {
        showSnackbar(NOT_SENT);
        throw refusal;
      }
      setSent(true);
      showSnackbar(LINK_SENT);
    });
  };

  return (
    <form {...form.props(send)}>
      <Stack gap="md">
        <UsernameInput {...form.field('username')} description={USERNAME_HINT} />
        <FormError
          texts={failure ? [NOT_SENT, isPassing(failure) ? reasonOf(failure) : null] : []}
        />
        <Button type="submit" variant={sent ? 'default' : 'filled'} disabled={!name || working}>
          {working ? 'Please wait...' : sent ? 'Send the link again' : 'Send me a link'}
        </Button>
        {sent && <Sent />}
      </Stack>
    </form>
  );
}

function Sent() {
  return (
    <Stack gap="xs">
      <Text fw={600}>{LINK_SENT}</Text>
      <Text size="sm" c="dimmed">
        It comes in a few minutes, if that username is one of ours. If you can't find it, look among
        the unwanted mail too.
      </Text>
    </Stack>
  );
}
