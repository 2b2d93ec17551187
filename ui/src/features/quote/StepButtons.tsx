import { Button, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from '../../components/icons/Icon';
import classes from './Journey.module.css';
import type { Journey } from './useJourney';

interface Props {
  journey: Journey;
  onPay?: () => void;
}

/** The buttons Back and Next below the cards; on the last step Pay, if the quote can be bought. */
export function StepButtons({ journey, onPay }: Props) {
  const { index, steps, isLast, busy, next, back } = journey;
  const following = steps[index + 1];
  return (
    <div className={classes.buttons}>
      <VisuallyHidden role="status">{busy ? 'Checking your answers' : ''}</VisuallyHidden>
      <Button
        variant="default"
        disabled={index === 0 || busy !== null}
        leftSection={<Icon name="back" size={20} />}
        onClick={back}
      >
        Back
      </Button>
      {isLast ? (
        onPay && (
          <WaitButton waiting={busy !== null} onClick={onPay}>
            Pay
          </WaitButton>
        )
      ) : (
        <WaitButton waiting={busy !== null} onClick={() => void next()}>
          <span>
            Next
            {following && <span className={classes.longer}>: {following.title}</span>}
          </span>
          <Icon name="next" size={20} />
        </WaitButton>
      )}
    </div>
  );
}

interface WaitProps {
  waiting: boolean;
  onClick?: () => void;
  children: ReactNode;
}

/**
 * A button that shows that its call is running and ignores presses meanwhile; it stays focusable.
 */
function WaitButton({ waiting, onClick, children }: WaitProps) {
  return (
    <Button
      className={classes.forward}
      aria-disabled={waiting || undefined}
      onClick={() => {
        if (!waiting) onClick?.();
      }}
    >
      {waiting ? (
        <span className={classes.waiting}>
          <span className={classes.spinner} aria-hidden="true" />
          Please wait...
        </span>
      ) : (
        <span className={classes.waiting}>{children}</span>
      )}
    </Button>
  );
}
