import { Button, Stack } from '@mantine/core';
import { errorsOf, reasonOf } from '../../../api/failure';
import { showSnackbar, showSnackbarAhead } from '../../../lib/messages/snackbar';
import { NewPasswordFields, usePasswordFaults } from '../../../shared/login/NewPassword';
import { FormError } from '../../../ui/inputs/FormError';
import { UsernameInput } from '../../../ui/inputs/UsernameInput';
import { useServerForm } from '../../../ui/inputs/useServerForm';
import { retrievePassword } from '../calls';

export const RETRIEVED = 'Password is reset, you can login with new password';
export const NOT_RETRIEVED = 'Please check form data and try again.';

const NAMES = { password: 'password', repeat: 'password_rpt' };
const LABELS = { password: 'New Password', repeat: 'Confirm New Password' };

interface Props {
  hash: string;
  onDone: () => void;
}

/**
 * Shows the form of a mailed link that does not name a user. The form also asks for the username.
 */
export function RetrievePassword({ hash, onDone }: Props) {
  const { values, working, failure, errors, ...form } = useServerForm({
    initialValues: { username: '', password: '', password_rpt: '' },
    validate: usePasswordFaults(NAMES),
  });
  const username = values.username.trim();
  const valid = form.valid && username !== '';

  const send = async () => {
    if (!valid) return;
    const isSent = await form.run(async () => {
      try {
        await retrievePassword({ ...values, hash, username });
      } catch (refusal) {
        showSnackbar(NOT_RETRIEVED);
        throw refusal;
      }
    });
    if (!isSent) return;
    showSnackbarAhead(RETRIEVED);
    onDone();
  };

  return (
    <form {...form.props(send)}>
      <Stack gap="md">
        <UsernameInput
          {...form.field('username')}
          description="The email address that the link was sent to."
        />
        <NewPasswordFields field={form.field} names={NAMES} labels={LABELS} />
        <FormError
          texts={failure ? [NOT_RETRIEVED, ...(errors.hash ?? []), failureText(failure)] : []}
        />
        <Button type="submit" disabled={!valid || working}>
          {working ? 'Please wait...' : 'Reset Password'}
        </Button>
      </Stack>
    </form>
  );
}

/**
 * Returns the server's message. Returns null if the server named errors of fields, or if the
 * message is `NOT_RETRIEVED`, which the form already shows.
 */
function failureText(failure: unknown): string | null {
  const atFields = Object.keys(errorsOf(failure)).length > 0;
  const reason = reasonOf(failure);
  return atFields || reason === NOT_RETRIEVED ? null : reason;
}
