import { Button } from '@mantine/core';
import classes from './RetryLine.module.css';

interface Props {
  /** "Your policies could not be loaded." */
  text: string;
  retrying: boolean;
  onRetry: () => void;
}

/** A part of a page that could not be loaded says so in its own place. */
export function RetryLine({ text, retrying, onRetry }: Props) {
  return (
    <div className={classes.line}>
      <p role="status">{text}</p>
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
