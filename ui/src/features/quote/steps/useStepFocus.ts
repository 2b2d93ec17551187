import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { focusPath } from '../../../form/validation/focusPath';

export const STEP_TITLE_ID = 'step-title';

/**
 * Scrolls to the top of a new step and focuses the heading. Focuses a given field or the error
 * summary instead.
 */
export function useStepFocus(step: number | undefined) {
  const target = useRef<{ step: number | undefined; path: string; toSummary?: boolean } | null>(
    null,
  );
  const lastStep = useRef(step);
  const [tick, setTick] = useState(0);

  // Runs before the paint. After the paint, the new step would first appear at the old scroll
  // position.
  useLayoutEffect(() => {
    const path = target.current;
    if (lastStep.current !== step && path?.step !== step) window.scrollTo(0, 0);
  }, [step]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `tick` runs the effect again for the same step
  useEffect(() => {
    const path = target.current;
    if (path && path.step === step) {
      target.current = null;
      lastStep.current = step;
      // An opened card is on the screen after one more frame.
      const frame = requestAnimationFrame(() => focusPath(path.path, path.toSummary));
      return () => cancelAnimationFrame(frame);
    }
    if (lastStep.current === step) return;
    lastStep.current = step;
    document.getElementById(STEP_TITLE_ID)?.focus({ preventScroll: true });
  }, [step, tick]);

  const focusAfterStep = useCallback(
    (stepNumber: number | undefined, path: string | undefined, toSummary?: boolean) => {
      target.current = path === undefined ? null : { step: stepNumber, path, toSummary };
      setTick((now) => now + 1);
    },
    [],
  );

  return { focusAfterStep };
}
