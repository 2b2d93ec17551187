import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { Icon } from '../components/icons/Icon';
import classes from './Stepper.module.css';
import type { Step } from './types';

interface Props {
  steps: Step[];
  current: number;
  /** How many errors the current step has. */
  errorCount: number;
  /** Whether a step is before the current one and has no errors. */
  done: (step: Step) => boolean;
  onJump: (step: number) => void;
}

function errorsText(count: number): string {
  return count === 1 ? '1 error' : `${count} errors`;
}

/** The steps with the current one marked: icons with titles; on a phone one line and a bar. */
export function Stepper({ steps, current, errorCount, done, onJump }: Props) {
  const at = Math.max(
    steps.findIndex((step) => step.number === current),
    0,
  );
  return (
    <nav aria-label="Steps" className={classes.stepper}>
      <ol className={classes.steps}>
        {steps.map((step, index) => {
          const active = step.number === current;
          const ready = !active && done(step);
          const note = ready ? 'done' : active && errorCount > 0 ? errorsText(errorCount) : null;
          return (
            <li key={step.number} className={classes.step}>
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
                <span>
                  <VisuallyHidden>Step {index + 1}: </VisuallyHidden>
                  {step.title}
                  {note && <VisuallyHidden> ({note})</VisuallyHidden>}
                </span>
              </UnstyledButton>
            </li>
          );
        })}
      </ol>
      <div className={classes.compact}>
        <p className={classes.line}>
          <span>
            Step {at + 1} of {steps.length}: <strong>{steps[at]?.title}</strong>
          </span>
          {errorCount > 0 && <span className={classes.count}>{errorsText(errorCount)}</span>}
        </p>
        <div className={classes.track}>
          <div
            className={classes.bar}
            style={{ width: `${((at + 1) / Math.max(steps.length, 1)) * 100}%` }}
          />
        </div>
      </div>
    </nav>
  );
}
