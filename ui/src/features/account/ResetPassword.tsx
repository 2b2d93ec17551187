import { Button, Stack } from '@mantine/core';
import { type FormEvent, useEffect } from 'react';
import { errorsOf, isPassing, reasonOf, statusOf } from '../../api/failure';
import { FormError } from '../../components/inputs/FormError';
import { NewPasswordFields, useNewPassword } from '../../components/login/NewPassword';
import { submitOnEnter } from '../../components/login/submitOnEnter';
import { useSubmit } from '../../lib/useSubmit';
import { resetPassword } from './calls';
import { DetailsList } from './DetailsList';
import type { Reset } from './resetMode';

interface Props {
  reset: Reset;
  onDone?: () => void;
  /** Called if the link was used or expired while the form was filled in. */
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

/** The form of a mailed link: it shows the user and asks for the new password twice. */
export function ResetPassword({ reset, onDone, onSpent }: Props) {
  const next = useNewPassword();
  const { form, working, failure, run, forget } = useSubmit(errorsOf);
  const errors = errorsOf(failure);
  const spent = statusOf(failure) === 404;

  // biome-ignore lint/correctness/useExhaustiveDependencies: called once, when the link is spent
  useEffect(() => {
    if (spent) onSpent();
  }, [spent]);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!next.valid) return;
    if (await run(() => resetPassword(reset, next.password, next.repeat))) onDone?.();
  }

  const atFields = [...(errors.password ?? []), ...(errors.password_rpt ?? [])];
  const whole = failure && (isPassing(failure) || atFields.length === 0);

  return (
    <form
      ref={form}
      onSubmit={submit}
      noValidate
      onKeyDown={submitOnEnter(next.valid, next.showAll)}
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
          <NewPasswordFields
            state={next}
            names={NAMES}
            labels={LABELS}
            errors={errors}
            readOnly={working}
            onChange={forget}
          />
          <FormError texts={whole ? [reasonOf(failure)] : atFields.slice(1)} />
          <Button type="submit" disabled={!next.valid || working}>
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
