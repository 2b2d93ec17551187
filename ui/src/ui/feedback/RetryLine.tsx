import { Button, Group } from '@mantine/core';
import { useAnnounce } from '../../lib/messages/announce';

interface Props {
  /** The text, such as "Your policies could not be loaded." */
  text: string;
  /** The failed read. */
  read: Read;
}

/** The return value of SWR, or an object with the same members. */
export interface Read {
  isValidating: boolean;
  mutate: () => unknown;
}

/** Tells that a part could not be loaded, in its place, with a button to try again. */
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
