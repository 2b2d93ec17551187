import { Container } from '@mantine/core';
import { useSite } from '../../api/hooks';
import { RetryLine } from '../../ui/feedback/RetryLine';

/** Says on every page that the shop's settings could not be read. */
export default function SiteLoadError() {
  const read = useSite();
  return (
    <Container size={1140}>
      <RetryLine text="Some parts of this page could not be loaded." read={read} />
    </Container>
  );
}
