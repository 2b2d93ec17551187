import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { errorsOf, reasonOf } from '../../api/failure';
import { login } from '../../api/session/session';
import { paths } from '../../lib/routes/paths';
import { removeLoginTarget, storeLoginTarget } from '../../lib/session/loginTarget';
import { useSubmit } from '../../lib/useSubmit';
import { AppLink } from '../../ui/basics/AppLink';
import { LinkButton } from '../../ui/basics/LinkButton';
import { Check } from '../../ui/inputs/Check';
import { FormError } from '../../ui/inputs/FormError';
import { PasswordField } from '../../ui/inputs/PasswordField';
import { USERNAME_HINT, UsernameInput } from '../../ui/inputs/UsernameInput';

export const FORGOTTEN = 'Forgotten password, click here';

/** Tells which of the two fields is still empty. */
function missingText(hasUsername: boolean, hasPassword: boolean): string | null {
  if (hasUsername && hasPassword) return null;
  if (hasUsername) return 'Enter your password.';
  return hasPassword ? 'Enter your username.' : 'Enter your username and password.';
}

interface Props {
  onDone?: () => void;
  /** The initial username. */
  username?: string;
  onUsername?: (username: string) => void;
  /** Called when the visitor follows the link to the page for a forgotten password. */
  onLeave?: () => void;
  /** Called by a button that replaces the link for a forgotten password. */
  onForgotten?: () => void;
  /** Whether the form gets the focus: at the username if it is empty, or at the password. */
  focus?: boolean;
  /** The uuid of the quote whose changes stay on the screen during the login. */
  quote?: string;
}

/**
 * Asks for username and password. Enter submits the form. The typed text stays after a failed
 * login.
 */
export function LoginForm(props: Props) {
  const form = useForm({
    initialValues: { username: props.username ?? '', password: '', remember: true },
    onValuesChange: (typed) => props.onUsername?.(typed.username),
  });
  const { username, password } = form.values;
  const { form: element, working, failure, run } = useSubmit(errorsOf);
  const usernameInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const errorId = useId();
  const missingId = useId();
  const location = useLocation();
  const [begins] = useState(() => (username === '' ? 'username' : 'password'));
  const missing = missingText(username.trim() !== '', password !== '');
  const filled = missing === null;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the first focus, set once
  useEffect(() => {
    if (!props.focus) return;
    // Waits for the layout, which first focuses the start of a new page.
    const frame = requestAnimationFrame(() => {
      const first = begins === 'username' ? usernameInput : passwordInput;
      first.current?.focus();
    });
    return () => cancelAnimationFrame(frame);
  }, []);

  const submit = form.onSubmit(async (typed) => {
    if (!filled) return;
    const isLoggedIn = await run(async () => {
      await login({ ...typed, username: username.trim() }, props.quote);
      removeLoginTarget();
      form.setValues({ username: '', password: '' });
    });
    if (isLoggedIn) props.onDone?.();
    else passwordInput.current?.focus();
  });

  function leave() {
    storeLoginTarget(location);
    (props.onForgotten ?? props.onLeave)?.();
  }

  return (
    <form ref={element} onSubmit={submit} noValidate>
      <Stack gap="md">
        <UsernameInput
          {...form.getInputProps('username')}
          ref={usernameInput}
          description={USERNAME_HINT}
          data-autofocus={(props.focus && begins === 'username') || undefined}
          readOnly={working}
          aria-describedby={failure ? errorId : undefined}
        />
        <PasswordField
          {...form.getInputProps('password')}
          ref={passwordInput}
          label="Password"
          name="password"
          data-autofocus={(props.focus && begins === 'password') || undefined}
          autoComplete="current-password"
          readOnly={working}
        />
        <FormError id={errorId} texts={[failure ? reasonOf(failure) : null]} />
        <Check
          label="Keep me logged in on this device"
          name="remember"
          {...form.getInputProps('remember', { type: 'checkbox' })}
        />
        <Group gap="0.5rem 0.75rem">
          <Button
            type="submit"
            miw="8rem"
            disabled={!filled || working}
            aria-describedby={missing ? missingId : undefined}
          >
            {working ? 'Working...' : 'Login'}
          </Button>
          <Text id={missingId} size="sm" c="dimmed" flex="1 1 8rem">
            {missing}
          </Text>
        </Group>
        {props.onForgotten ? (
          <LinkButton size="sm" w="fit-content" py={4} onClick={leave}>
            {FORGOTTEN}
          </LinkButton>
        ) : (
          <Anchor
            component={AppLink}
            to={paths.retrievePassword()}
            size="sm"
            w="fit-content"
            py={4}
            onClick={leave}
          >
            {FORGOTTEN}
          </Anchor>
        )}
      </Stack>
    </form>
  );
}
