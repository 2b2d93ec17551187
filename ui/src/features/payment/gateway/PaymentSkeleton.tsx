import { Group, Loader } from '@mantine/core';

export const OPENING = 'Opening the card payment…';

/** Tells, in place of the card form, that the form is loading. */
export function PaymentSkeleton() {
  return (
    <Group justify="center" gap="sm" mih="20rem" w="100%">
      <Loader size="sm" aria-hidden="true" /> {OPENING}
    </Group>
  );
}
