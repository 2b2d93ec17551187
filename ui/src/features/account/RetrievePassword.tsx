import { Button, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { errorsOf, reasonOf } from '../../api/failure';
import { FormError } from '../../components/inputs/FormError';
import { UsernameInput } from '../../components/inputs/UsernameInput';
import { NewPasswordFields, useNewPassword } from '../../components/login/NewPassword';
import { submitOnEnter } from '../../components/login/submitOnEnter';
import { showSnackbar, showSnackbarAhead } from '../../lib/snackbar';
import { useSubmit } from '../../lib/useSubmit';
import { retrievePassword } from './calls';

export const RETRIEVED = 'Password is reset, you can login with new password';
export const NOT_RETRIEVED = 'Please check form data and try again.';

const NAMES = { password: 'password', repeat: 'password_rpt' };
const LABELS = { password: 'New Password', repeat: 'Confirm New Password' };

interface Props {
  hash: string;
  onDone: () => void;
}

/**
 * The form to set a password by a mailed link that does not name its user: it asks for the
 * username.
 */
export function RetrievePassword({ hash, onDone }: Props) {
  const [username, setUsername] = useState('');
  const next = useNewPassword();
  const { form, working, failure, run, forget } = useSubmit(errorsOf);
  const errors = errorsOf(failure);
  const valid = next.valid && username.trim() !== '';

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!valid) return;
    const done = await run(async () => {
      try {
        await retrievePassword({
          hash,
          username: username.trim(),
          password: next.password,
          password_rpt: next.repeat,
        });
      } catch (refusal) {
        showSnackbar(NOT_RETRIEVED);
        throw refusal;
      }
    });
    if (!done) return;
    showSnackbarAhead(RETRIEVED);
    onDone();
  }

  return (
    <form ref={form} onSubmit={submit} noValidate onKeyDown={submitOnEnter(valid, next.showAll)}>
      <Stack gap="md">
        <UsernameInput
          description="The email address that the link was sent to."
          readOnly={working}
          value={username}
          error={errors.username?.[0]}
          onChange={(event) => {
            setUsername(event.currentTarget.value);
            forget();
          }}
        />
        <NewPasswordFields
          state={next}
          names={NAMES}
          labels={LABELS}
          errors={errors}
          readOnly={working}
          onChange={forget}
        />
        <FormError
          texts={failure ? [NOT_RETRIEVED, ...(errors.hash ?? []), ownWords(failure)] : []}
        />
        <Button type="submit" disabled={!valid || working}>
          {working ? 'Please wait...' : 'Reset Password'}
        </Button>
      </Stack>
    </form>
  );
}

/** The server's message, if no field shows its error. */
function ownWords(failure: unknown): string | null {
  const atFields = Object.keys(errorsOf(failure)).length > 0;
  const words = reasonOf(failure);
  return atFields || words === NOT_RETRIEVED ? null : words;
}
