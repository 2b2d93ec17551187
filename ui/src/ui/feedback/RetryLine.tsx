import { Button, Group } from '@mantine/core';
import { useAnnounce } from '../../lib/messages/announce';

interface Props {
  /** The text about the failure, such as "Your policies could not be loaded." */
  text: string;
  /** The failed read. */
  read: Read;
}

/** The members of SWR's return value that a retry needs. */
export interface Read {
  isValidating: boolean;
  mutate: () => unknown;
}

/** Says that a part of the page could not be loaded, and shows a button that tries again. */
export function RetryLine({ text, read }: Props) {
  const { isValidating: retrying, mutate } = read;
  // Screen readers announce the text again after another failure.
  useAnnounce(retrying ? null : text);
  return (
    <Group gap="0.75rem 1.25rem">
      <p>{text}</p>
      <Button
        variant="default"
        size="sm"
        aria-disabled={retrying || undefined}
        data-disabled={retrying || undefined}
        onClick={() => {
          if (!retrying) void mutate();
        }}
      >
        {retrying ? 'Trying…' : 'Try again'}
      </Button>
    </Group>
  );
}
