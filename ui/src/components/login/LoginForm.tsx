import { Anchor, Button, Stack } from '@mantine/core';
import { useUncontrolled } from '@mantine/hooks';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { errorsOf, reasonOf } from '../../api/failure';
import { login } from '../../api/session';
import { useSubmit } from '../../lib/useSubmit';
import { AppLink } from '../basics/AppLink';
import { Check } from '../inputs/Check';
import { FormError } from '../inputs/FormError';
import { PasswordField } from '../inputs/PasswordField';
import { UsernameInput } from '../inputs/UsernameInput';

export const FORGOTTEN = 'Forgotten password, click here';

interface Props {
  onDone?: () => void;
  /** For a place that knows the name already, or keeps it between its forms. */
  username?: string;
  defaultUsername?: string;
  onUsername?: (username: string) => void;
  /** Told when the link to a forgotten password is followed. */
  onLeave?: () => void;
  /** In place of that link, where another form stands ready. */
  onForgotten?: () => void;
  /** Whether the first empty field takes the focus. */
  focus?: boolean;
  /** The quote whose changes stay on the screen through the login. */
  quote?: string;
}

/** Username and password; Enter submits. What was typed stays until the login succeeds. */
export function LoginForm(props: Props) {
  const [username, setUsername] = useUncontrolled({
    value: props.username,
    defaultValue: props.defaultUsername,
    finalValue: '',
    onChange: props.onUsername,
  });
  const [password, setPassword] = useState('');
  const [remember, setRemember] = useState(true);
  const { form, working, failure, run } = useSubmit(errorsOf);
  const usernameInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const errorId = useId();
  const [begins] = useState(() => (username === '' ? 'username' : 'password'));
  const filled = username.trim() !== '' && password !== '';

  // biome-ignore lint/correctness/useExhaustiveDependencies: where the form begins, once
  useEffect(() => {
    if (!props.focus) return;
    // After a change of page, which puts the focus at its beginning.
    const frame = requestAnimationFrame(() => {
      const first = begins === 'username' ? usernameInput : passwordInput;
      first.current?.focus();
    });
    return () => cancelAnimationFrame(frame);
  }, []);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!filled) return;
    const done = await run(async () => {
      await login({ username: username.trim(), password, remember }, props.quote);
      setUsername('');
      setPassword('');
    });
    if (done) props.onDone?.();
    else passwordInput.current?.focus();
  }

  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Stack gap="md">
        <UsernameInput
          ref={usernameInput}
          data-autofocus={(props.focus && begins === 'username') || undefined}
          readOnly={working}
          value={username}
          onChange={(event) => setUsername(event.currentTarget.value)}
          aria-describedby={failure ? errorId : undefined}
        />
        <PasswordField
          ref={passwordInput}
          label="Password"
          name="password"
          data-autofocus={(props.focus && begins === 'password') || undefined}
          autoComplete="current-password"
          readOnly={working}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <FormError id={errorId} texts={[failure ? reasonOf(failure) : null]} />
        <Check
          label="Keep me logged in on this device"
          name="remember"
          checked={remember}
          onChange={setRemember}
        />
        <Button type="submit" fullWidth disabled={!filled || working}>
          {working ? 'Working...' : 'Login'}
        </Button>
        {props.onForgotten ? (
          <Anchor
            component="button"
            type="button"
            size="sm"
            w="fit-content"
            py={4}
            onClick={props.onForgotten}
          >
            {FORGOTTEN}
          </Anchor>
        ) : (
          <Anchor
            component={AppLink}
            to="/retrieve-password"
            size="sm"
            w="fit-content"
            py={4}
            onClick={props.onLeave}
          >
            {FORGOTTEN}
          </Anchor>
        )}
      </Stack>
    </form>
  );
}
