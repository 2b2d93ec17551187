import { Button, Stack } from '@mantine/core';
import { useEffect } from 'react';
import { statusOf } from '../../../api/failure';
import { NewPasswordFields, usePasswordFaults } from '../../../shared/login/NewPassword';
import { FormError } from '../../../ui/inputs/FormError';
import { useServerForm } from '../../../ui/inputs/useServerForm';
import { resetPassword } from '../calls';
import { DetailsList } from '../details/DetailsList';
import type { Reset } from './resetMode';

interface Props {
  reset: Reset;
  onDone?: () => void;
  /** Called if the server refuses the password because the link is not valid any more (404). */
  onSpent: () => void;
}

const NAMES = { password: 'password', repeat: 'password_rpt' };
const LABELS = { password: 'New Password', repeat: 'Confirm New Password' };

function labelled({ profile }: Reset) {
  return [
    { label: 'First Name', value: profile.first_name },
    { label: 'Last Name', value: profile.last_name },
    { label: 'Email Address', value: profile.email_primary },
    { label: 'Username', value: profile.user_username },
  ].flatMap(({ label, value }) => (value ? [{ label, value }] : []));
}

/** Shows the form of a mailed link: the user's details, and two inputs for the new password. */
export function ResetPassword({ reset, onDone, onSpent }: Props) {
  const { valid, working, failure, errors, ...form } = useServerForm({
    initialValues: { password: '', password_rpt: '' },
    validate: usePasswordFaults(NAMES),
  });
  const spent = statusOf(failure) === 404;

  // biome-ignore lint/correctness/useExhaustiveDependencies: called once, when the link is spent
  useEffect(() => {
    if (spent) onSpent();
  }, [spent]);

  return (
    <form
      {...form.props(async ({ password, password_rpt: repeat }) => {
        if (await form.run(() => resetPassword(reset, password, repeat))) onDone?.();
      })}
    >
      <Stack gap="lg">
        <DetailsList fields={labelled(reset)} />
        <Stack gap="md" maw="26rem">
          <input
            type="text"
            autoComplete="username"
            hidden
            readOnly
            value={reset.profile.user_username ?? ''}
          />
          <NewPasswordFields field={form.field} names={NAMES} labels={LABELS} />
          <FormError
            texts={form.refusal ? [form.refusal] : Object.values(errors).flat().slice(1)}
          />
          <Button type="submit" disabled={!valid || working}>
            {working
              ? 'Please wait...'
              : reset.profile.new_user
                ? 'Set Password'
                : 'Reset Password'}
          </Button>
        </Stack>
      </Stack>
    </form>
  );
}
