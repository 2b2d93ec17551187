import { Container } from '@mantine/core';
import { useSite } from '../api/hooks';
import { RetryLine } from '../components/feedback/RetryLine';

/** Says on every page that the shop's settings could not be read, which many parts wait for. */
export default function SiteFailed() {
  const { isValidating, mutate } = useSite();
  return (
    <Container size={1140}>
      <RetryLine
        text="Some parts of this page could not be loaded."
        retrying={isValidating}
        onRetry={() => void mutate()}
      />
    </Container>
  );
}
