import { Button, Text } from '@mantine/core';
import { ApiError } from '../../api/client';
import { AskUs, Notice } from '../../components/Notice';
import { NOT_FOUND, PageError } from '../../lib/guards';

/** The questions could not be fetched. */
export function LoadFailed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (error instanceof ApiError && error.status === 404) throw new PageError(404, NOT_FOUND);
  return (
    <Notice
      title="We couldn't load the quote form"
      actions={<Button onClick={onRetry}>Try again</Button>}
    >
      <Text>Nothing you typed is lost. Please try again in a moment.</Text>
      <AskUs />
    </Notice>
  );
}
