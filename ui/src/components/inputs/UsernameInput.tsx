import { TextInput, type TextInputProps } from '@mantine/core';
import type { Ref } from 'react';

/** A user's name: the mail address they log in with, for a keyboard and a password manager. */
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
