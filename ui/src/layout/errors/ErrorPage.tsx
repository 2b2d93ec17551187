import { Container } from '@mantine/core';
import { ErrorBody } from '../../ui/errors/ErrorBody';
import { ErrorPageFailed } from '../../ui/errors/ErrorPageFailed';

export function ErrorPage({ error }: { error: unknown }) {
  return (
    <ErrorPageFailed>
      <Container size={720}>
        <ErrorBody error={error} />
      </Container>
    </ErrorPageFailed>
  );
}

/** The same page without the layout, for a failure of the layout itself. */
export function BareErrorPage({ error }: { error: unknown }) {
  return (
    <main id="main">
      <ErrorPage error={error} />
    </main>
  );
}
