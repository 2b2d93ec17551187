import { PasswordInput, type PasswordInputProps } from '@mantine/core';

type Props = Omit<PasswordInputProps, 'label'> & { label: string };

/** Shows a password field with a button that shows the text, for keyboard and touch too. */
export function PasswordField({ label, ...props }: Props) {
  return (
    <PasswordInput
      label={label}
      autoCapitalize="none"
      spellCheck={false}
      aria-invalid={Boolean(props.error) || undefined}
      rightSectionWidth="3rem"
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': `Show ${label.toLocaleLowerCase('en-GB')}` }}
      vars={() => ({ root: { '--psi-button-size': '2.75rem', '--psi-icon-size': '1.375rem' } })}
      {...props}
    />
  );
}
