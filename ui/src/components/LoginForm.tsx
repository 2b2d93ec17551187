import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useId, useState } from 'react';
import { ApiError, DEFAULT_MESSAGE } from '../api/client';
import { login } from '../api/session';
import classes from './LoginForm.module.css';

interface Props {
  onDone?: () => void;
}

function reason(error: unknown): string {
  if (!(error instanceof ApiError)) return DEFAULT_MESSAGE;
  if (error.status === 429 && error.retryAfter) {
    return `${error.message} Please wait ${waiting(error.retryAfter)}.`;
  }
  return error.message;
}

function waiting(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}

/** Username and password; Enter submits. What was typed stays until the login succeeds. */
export function LoginForm({ onDone }: Props) {
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [working, setWorking] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const errorId = useId();
  const filled = username.trim() !== '' && password !== '';

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!filled || working) return;
    setWorking(true);
    setError(null);
    try {
      await login(username.trim(), password);
      setUsername('');
      setPassword('');
      onDone?.();
    } catch (failure) {
      setError(reason(failure));
    } finally {
      setWorking(false);
    }
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          label="Username"
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          value={username}
          onChange={(event) => setUsername(event.currentTarget.value)}
          aria-describedby={error ? errorId : undefined}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': 'Show password', tabIndex: 0 }}
          aria-describedby={error ? errorId : undefined}
        />
        <div role="alert" id={errorId} className={classes.error}>
          {error}
        </div>
        <Button type="submit" fullWidth disabled={!filled || working}>
          {working ? 'Working...' : 'Login'}
        </Button>
      </Stack>
    </form>
  );
}
