import { Button, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { errorsOf, isPassing, reasonOf } from '../../api/failure';
import { FormError } from '../../components/inputs/FormError';
import { UsernameInput } from '../../components/inputs/UsernameInput';
import { showSnackbar } from '../../lib/snackbar';
import { useSubmit } from '../../lib/useSubmit';
import { requestLink } from './calls';

export const LINK_SENT = 'Check your mailbox for email with password reset link';
export const NOT_SENT = 'Error. Please check username and try again.';

interface Props {
  username: string;
  onUsername: (username: string) => void;
}

/** Asks for the mail with the link. The answer is the same whether the name is known or not. */
export function RequestLink({ username, onUsername }: Props) {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { form, working, failure, run, forget } = useSubmit(errorsOf);
  const name = username.trim();

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (name === '') return;
    setSentTo(null);
    await run(async () => {
      try {
        await requestLink(name);
      } catch (refusal) {
        showSnackbar(NOT_SENT);
        throw refusal;
      }
      setSentTo(name);
      showSnackbar(LINK_SENT);
    });
  }

  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Stack gap="md">
        <UsernameInput
          description="The email address that you log in with."
          readOnly={working}
          value={username}
          error={errorsOf(failure).username?.[0]}
          onChange={(event) => {
            onUsername(event.currentTarget.value);
            forget();
          }}
        />
        <FormError
          texts={failure ? [NOT_SENT, isPassing(failure) ? reasonOf(failure) : null] : []}
        />
        <Button type="submit" variant={sentTo ? 'default' : 'filled'} disabled={!name || working}>
          {working ? 'Please wait...' : sentTo ? 'Send the link again' : 'Send me a link'}
        </Button>
        {sentTo && <Sent />}
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
