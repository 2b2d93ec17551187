import { Container } from '@mantine/core';
import { ErrorBody } from '../../ui/errors/ErrorBody';
import { ErrorPageFallback } from '../../ui/errors/ErrorPageFallback';

export function ErrorPage({ error }: { error: unknown }) {
  return (
    <ErrorPageFallback>
      <Container size={720}>
        <ErrorBody error={error} />
      </Container>
    </ErrorPageFallback>
  );
}

/** Shows the error page without the layout, for a failure of the layout. */
export function StandaloneErrorPage({ error }: { error: unknown }) {
  return (
    <main id="main">
      <ErrorPage error={error} />
    </main>
  );
}
