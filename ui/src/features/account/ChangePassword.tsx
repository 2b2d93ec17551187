import { Button, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { errorsOf, isPassing, reasonOf } from '../../api/failure';
import { useProfile } from '../../api/hooks';
import { login } from '../../api/session';
import { FormError } from '../../components/inputs/FormError';
import { PasswordField } from '../../components/inputs/PasswordField';
import { UsernameInput } from '../../components/inputs/UsernameInput';
import { NewPasswordFields, useNewPassword } from '../../components/login/NewPassword';
import { REQUIRED } from '../../components/login/passwordRule';
import { submitOnEnter } from '../../components/login/submitOnEnter';
import { useSubmit } from '../../lib/useSubmit';
import { changePassword } from './calls';

interface Props {
  onDone?: () => void;
  /** Works without a session: it asks for the username too, and logs in first. */
  username?: string;
  onUsername?: (username: string) => void;
}

const NAMES = { password: 'new_password', repeat: 'new_password_repeat' };
const LABELS = { password: 'New Password', repeat: 'Repeat New Password' };

/** The form to change the password: the current one, and the new one twice. */
export function ChangePassword({ onDone, username, onUsername }: Props) {
  const { data: profile } = useProfile();
  const [password, setPassword] = useState('');
  const [left, setLeft] = useState(false);
  const next = useNewPassword();
  const { form, working, failure, run, forget } = useSubmit(errorsOf);
  const asksName = onUsername !== undefined && !profile;
  const errors = errorsOf(failure);
  const valid = next.valid && password !== '' && !(asksName && username?.trim() === '');

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!valid) return;
    const done = await run(async () => {
      if (asksName && username) {
        await login({ username: username.trim(), password, remember: false });
      }
      await changePassword({
        password,
        new_password: next.password,
        new_password_repeat: next.repeat,
      });
    });
    if (done) onDone?.();
  }

  const atFields = [...(errors[NAMES.password] ?? []), ...(errors[NAMES.repeat] ?? [])];
  const listed = errors.password ?? [];
  const whole = failure && listed.length === 0 && (isPassing(failure) || atFields.length === 0);

  return (
    <form
      ref={form}
      onSubmit={submit}
      noValidate
      onKeyDown={submitOnEnter(valid, () => {
        setLeft(true);
        next.showAll();
      })}
    >
      <Stack gap="md" maw="26rem">
        {asksName ? (
          <UsernameInput
            readOnly={working}
            value={username}
            onChange={(event) => onUsername(event.currentTarget.value)}
          />
        ) : (
          // Password managers need the username in the form.
          <input type="text" autoComplete="username" hidden readOnly value={accountName(profile)} />
        )}
        <PasswordField
          label="Current Password"
          name="password"
          autoComplete="current-password"
          aria-required
          readOnly={working}
          value={password}
          error={listed.length > 0 || (left && password === '' && REQUIRED)}
          onBlur={() => setLeft(true)}
          onChange={(event) => {
            setPassword(event.currentTarget.value);
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
        <FormError texts={whole ? [reasonOf(failure)] : listed} />
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
