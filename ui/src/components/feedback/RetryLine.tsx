import { Button } from '@mantine/core';
import { useAnnounce } from '../../lib/announce';
import classes from './RetryLine.module.css';

interface Props {
  /** "Your policies could not be loaded." */
  text: string;
  retrying: boolean;
  onRetry: () => void;
}

/** A part of a page that could not be loaded says so in its own place. */
export function RetryLine({ text, retrying, onRetry }: Props) {
  // Said again where trying again came to the same.
  useAnnounce(retrying ? null : text);
  return (
    <div className={classes.line}>
      <p>{text}</p>
      <Button
        variant="default"
        size="sm"
        aria-disabled={retrying || undefined}
        data-disabled={retrying || undefined}
        onClick={() => {
          if (!retrying) onRetry();
        }}
      >
        {retrying ? 'Trying…' : 'Try again'}
      </Button>
    </div>
  );
}
