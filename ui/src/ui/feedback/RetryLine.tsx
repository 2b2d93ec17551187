import { Button, Group } from '@mantine/core';
import { useAnnounce } from '../../lib/messages/announce';

interface Props {
  /** What failed, such as "Your policies could not be loaded." */
  text: string;
  /** The read that failed. */
  read: Read;
}

/** What SWR answers, or what does the same. */
export interface Read {
  isValidating: boolean;
  mutate: () => unknown;
}

/** Shown in the place of a part of a page that could not be loaded, with a button to try again. */
export function RetryLine({ text, read }: Props) {
  const { isValidating: retrying, mutate } = read;
  // Announced again if another try has failed too.
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
