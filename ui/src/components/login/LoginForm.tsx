import { Anchor, Button, Stack } from '@mantine/core';
import { useUncontrolled } from '@mantine/hooks';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { errorsOf, reasonOf } from '../../api/failure';
import { login } from '../../api/session';
import { paths } from '../../lib/paths';
import { useSubmit } from '../../lib/useSubmit';
import { AppLink } from '../basics/AppLink';
import { Check } from '../inputs/Check';
import { FormError } from '../inputs/FormError';
import { PasswordField } from '../inputs/PasswordField';
import { UsernameInput } from '../inputs/UsernameInput';

export const FORGOTTEN = 'Forgotten password, click here';

interface Props {
  onDone?: () => void;
  /**
   * The username as state of the caller, if it knows the name already or shares it with other
   * forms.
   */
  username?: string;
  defaultUsername?: string;
  onUsername?: (username: string) => void;
  /** Called when the link for a forgotten password is followed. */
  onLeave?: () => void;
  /** Replaces that link where the caller has its own form for a forgotten password. */
  onForgotten?: () => void;
  /** Whether the first empty field gets the focus. */
  focus?: boolean;
  /** uuid of the quote whose changes stay on the screen during the login. */
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: the first focus, set once
  useEffect(() => {
    if (!props.focus) return;
    // Later than the layout, which focuses the beginning of a new page.
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
            to={paths.retrievePassword()}
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
