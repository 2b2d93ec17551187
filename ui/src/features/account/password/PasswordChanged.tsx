import { Button, Stack, Text, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { passwordChanged } from './resetMode';

interface Props {
  onOk: () => void;
  level?: 1 | 2;
}

/**
 * Tells that the password was changed or set. The title gets the focus, so that screen readers read
 * it.
 */
export function PasswordChanged({ onOk, level = 1 }: Props) {
  const [first] = useState(() => passwordChanged.get() === 'set');
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Stack gap="md" align="start">
      <Title order={level} size={level === 1 ? undefined : 'h3'} ref={heading} tabIndex={-1}>
        {first ? 'Your password is set!' : 'Your Password has been successfully changed!'}
      </Title>
      <Text>Please Login with Your new credentials.</Text>
      <Button miw="6rem" onClick={onOk}>
        Ok
      </Button>
    </Stack>
  );
}
