import { Button, Group, VisuallyHidden } from '@mantine/core';
import type { ReactNode, Ref } from 'react';
import { useMoney } from '../../../shared/money/currency';
import { Icon } from '../../../ui/icons/Icon';
import type { Journey } from '../journey/useJourney';
import classes from './StepButtons.module.css';

interface Props {
  journey: Journey;
  /** The amount to pay now. Null while it is unknown. */
  amount: number | null;
  onPay?: () => void;
  /**
   * Receives the button to pay. The price bar hides its own button while this button is visible.
   */
  payRef?: Ref<HTMLButtonElement>;
}

/**
 * Shows the buttons Back and Next below the cards. The last step has the button Pay instead of
 * Next, if the quote is for sale.
 */
export function StepButtons({ journey, amount, onPay, payRef }: Props) {
  const { index, steps, isLast, busy, next, back } = journey;
  const following = steps[index + 1];
  return (
    <Group justify="space-between" mt="xs" className="screenOnly">
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
        onPay && <PayButton amount={amount} isWaiting={busy !== null} onPay={onPay} ref={payRef} />
      ) : (
        <WaitButton isWaiting={busy !== null} onClick={() => void next()}>
          <span>
            Next
            {following && <span className={classes.longer}>: {following.title}</span>}
          </span>
          <Icon name="next" size={20} />
        </WaitButton>
      )}
    </Group>
  );
}

interface PayProps {
  amount: number | null;
  isWaiting: boolean;
  onPay: () => void;
  ref?: Ref<HTMLButtonElement>;
}

/** Shows the button to pay. The label has the amount to pay now, if it is known. */
export function PayButton({ amount, isWaiting, onPay, ref }: PayProps) {
  const write = useMoney();
  return (
    <WaitButton isWaiting={isWaiting} onClick={onPay} ref={ref}>
      {amount === null ? 'Pay' : `Pay ${write(amount)} now`}
    </WaitButton>
  );
}

interface WaitProps {
  ref?: Ref<HTMLButtonElement>;
  isWaiting: boolean;
  onClick?: () => void;
  children: ReactNode;
}

/**
 * Shows a button for a call. While the call runs, the button ignores presses but stays focusable.
 */
function WaitButton({ ref, isWaiting, onClick, children }: WaitProps) {
  return (
    <Button
      ref={ref}
      className={classes.forward}
      aria-disabled={isWaiting || undefined}
      onClick={() => {
        if (!isWaiting) onClick?.();
      }}
    >
      {isWaiting ? (
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
