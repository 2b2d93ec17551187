import { Button, Stack } from '@mantine/core';
import { useProfile } from '../../../api/hooks';
import { login } from '../../../api/session/session';
import { NewPasswordFields, usePasswordFaults } from '../../../shared/login/NewPassword';
import { REQUIRED } from '../../../shared/login/passwordRule';
import { FormError } from '../../../ui/inputs/FormError';
import { PasswordField } from '../../../ui/inputs/PasswordField';
import { UsernameInput } from '../../../ui/inputs/UsernameInput';
import { useServerForm } from '../../../ui/inputs/useServerForm';
import { changePassword } from '../calls';

interface Props {
  onDone?: () => void;
  /**
   * The initial username. Without a session but with `onUsername`, the form also asks for the
   * username and logs in first.
   */
  username?: string;
  onUsername?: (username: string) => void;
}

const NAMES = { password: 'new_password', repeat: 'new_password_repeat' };
const LABELS = { password: 'New Password', repeat: 'Repeat New Password' };

/**
 * Shows the form to change the password. The form asks once for the current password and twice for
 * the new password.
 */
export function ChangePassword({ onDone, username = '', onUsername }: Props) {
  const { data: profile } = useProfile();
  const passwordFaults = usePasswordFaults(NAMES);
  const { values, working, errors, ...form } = useServerForm({
    initialValues: { username, password: '', new_password: '', new_password_repeat: '' },
    validate: (typed) => ({
      password: typed.password === '' ? REQUIRED : null,
      ...passwordFaults(typed),
    }),
    onValuesChange: (typed) => onUsername?.(typed.username),
  });
  const asksName = onUsername !== undefined && !profile;
  const name = values.username.trim();
  const valid = form.valid && !(asksName && name === '');

  const send = async ({ username: _, ...change }: typeof values) => {
    if (!valid) return;
    const isChanged = await form.run(async () => {
      if (asksName) await login({ username: name, password: change.password, remember: false });
      await changePassword(change);
    });
    if (isChanged) onDone?.();
  };

  return (
    <form {...form.props(send)}>
      <Stack gap="md" maw="26rem">
        {asksName ? (
          <UsernameInput {...form.field('username')} />
        ) : (
          // Password managers need the username in the form.
          <input type="text" autoComplete="username" hidden readOnly value={accountName(profile)} />
        )}
        <PasswordField
          {...form.field('password')}
          label="Current Password"
          autoComplete="current-password"
          aria-required
          error={errors.password ? true : form.field('password').error}
        />
        <NewPasswordFields field={form.field} names={NAMES} labels={LABELS} />
        <FormError texts={errors.password ?? [form.refusal]} />
        <Button type="submit" disabled={!valid || working}>
          {working ? 'Please wait...' : 'Update Password'}
        </Button>
      </Stack>
    </form>
  );
}

function accountName(profile: { user_username: string | null } | null | undefined): string {
  return profile?.user_username ?? '';
}
