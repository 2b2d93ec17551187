import { Container } from '@mantine/core';
import { useRouteError } from 'react-router';
import { ErrorBody } from '../components/errors/ErrorBody';
import { ErrorPageFailed } from '../components/errors/ErrorPageFailed';

export function ErrorPage() {
  const error = useRouteError();
  return (
    <ErrorPageFailed>
      <Container size={720}>
        <ErrorBody error={error} />
      </Container>
    </ErrorPageFailed>
  );
}

/** The same page without the layout, for a failure of the layout itself. */
export function BareErrorPage() {
  return (
    <main id="main">
      <ErrorPage />
    </main>
  );
}
