import { Container, Skeleton, Stack, VisuallyHidden } from '@mantine/core';

/** The shape of what is coming, while it is on its way. */
export function Waiting({ label, size = 720 }: { label: string; size?: number }) {
  return (
    <Container size={size}>
      <VisuallyHidden role="status">{label}</VisuallyHidden>
      <Stack gap="lg" aria-hidden="true">
        <Skeleton height={36} width="60%" />
        <Skeleton height={180} />
        <Skeleton height={260} />
      </Stack>
    </Container>
  );
}
