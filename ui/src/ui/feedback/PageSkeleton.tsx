import { Container, Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { useAnnounce } from '../../lib/messages/announce';

/** Shows a placeholder for a page while its data is loaded. Screen readers announce `label`. */
export function PageSkeleton({ label, size = 720 }: { label: string; size?: number }) {
  useAnnounce(label);
  return (
    <Container size={size}>
      <VisuallyHidden>{label}</VisuallyHidden>
      <Stack gap="lg" aria-hidden="true">
        <Skeleton height={36} width="60%" />
        <Skeleton height={180} />
        <Skeleton height={260} />
      </Stack>
    </Container>
  );
}

/** Shows a placeholder for one part of a page. Screen readers announce `label`. */
export function SectionSkeleton({ label, height }: { label: string; height: number }) {
  useAnnounce(label);
  return (
    <>
      <VisuallyHidden>{label}</VisuallyHidden>
      <Skeleton height={height} aria-hidden="true" />
    </>
  );
}
