import { Button, Text } from '@mantine/core';
import { reasonOf } from '../../api/failure';
import { AskUs } from '../../components/feedback/Notice';
import classes from './Payment.module.css';

/** Shown if a payment could not be begun. */
export function StartFailed({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  return (
    <div role="alert" className={classes.stack}>
      <Text fw={600}>We couldn't open the card payment.</Text>
      <Text>{reasonOf(error)}</Text>
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
      <AskUs />
    </div>
  );
}
