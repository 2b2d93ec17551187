import { PasswordInput, type PasswordInputProps } from '@mantine/core';

type Props = Omit<PasswordInputProps, 'label'> & { label: string };

/**
 * Shows a password field. The button that shows the text is also reachable by keyboard and large
 * enough for a finger.
 */
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
