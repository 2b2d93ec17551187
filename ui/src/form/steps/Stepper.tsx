import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { Icon } from '../../ui/icons/Icon';
import type { Step } from '../types';
import classes from './Stepper.module.css';

interface Props {
  steps: Step[];
  current: number;
  /** The number of errors on the current step. */
  errorCount: number;
  /** Whether a step is before the current step and has no errors. */
  isDone: (step: Step) => boolean;
  onJump: (step: number) => void;
}

function errorsText(count: number): string {
  return count === 1 ? '1 error' : `${count} errors`;
}

/**
 * Shows the steps as icons with titles. On a phone, one line names the current step. The lines
 * between the icons are coloured up to that step. A click on an icon calls `onJump`.
 */
export function Stepper({ steps, current, errorCount, isDone, onJump }: Props) {
  const position = Math.max(
    steps.findIndex((step) => step.number === current),
    0,
  );
  return (
    <nav aria-label="Steps" className="screenOnly">
      <p className={classes.line}>
        <span>
          Step {position + 1} of {steps.length}: <strong>{steps[position]?.title}</strong>
        </span>
        {errorCount > 0 && <span className={classes.count}>{errorsText(errorCount)}</span>}
      </p>
      <ol className={classes.steps}>
        {steps.map((step, index) => {
          const active = step.number === current;
          const ready = !active && isDone(step);
          const note = ready ? 'done' : active && errorCount > 0 ? errorsText(errorCount) : null;
          return (
            <li
              key={step.number}
              className={classes.step}
              data-reached={index <= position || undefined}
            >
              <UnstyledButton
                className={classes.button}
                data-active={active || undefined}
                data-done={ready || undefined}
                aria-current={active ? 'step' : undefined}
                onClick={() => onJump(step.number)}
              >
                <span className={classes.icon}>
                  <Icon name={ready ? 'check' : step.icon} size={22} />
                  {active && errorCount > 0 && (
                    <span className={classes.badge} aria-hidden="true">
                      {errorCount}
                    </span>
                  )}
                </span>
                <span className={classes.title}>
                  <VisuallyHidden>Step {index + 1}: </VisuallyHidden>
                  {step.title}
                  {note && <VisuallyHidden> ({note})</VisuallyHidden>}
                </span>
              </UnstyledButton>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
