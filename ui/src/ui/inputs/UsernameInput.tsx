import { TextInput, type TextInputProps } from '@mantine/core';
import type { Ref } from 'react';

/** The hint of a username that the visitor already has. */
export const USERNAME_HINT = 'The email address that you log in with.';

/**
 * Shows the field for the username. The attributes are for phone keyboards and password managers.
 */
export function UsernameInput(props: TextInputProps & { ref?: Ref<HTMLInputElement> }) {
  return (
    <TextInput
      label="Username"
      name="username"
      autoComplete="username"
      autoCapitalize="none"
      inputMode="email"
      spellCheck={false}
      {...props}
    />
  );
}
