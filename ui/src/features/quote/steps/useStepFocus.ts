import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { focusPath } from '../../../form/validation/focusPath';

export const STEP_TITLE_ID = 'step-title';

/**
 * Where the view of a new step starts: at the top with its heading focused, or at a given field.
 */
export function useStepFocus(step: number | undefined) {
  const target = useRef<{ step: number | undefined; path: string } | null>(null);
  const seen = useRef(step);
  const [tick, setTick] = useState(0);

  // Before it is drawn: it would be seen at another place for a moment.
  useLayoutEffect(() => {
    const wanted = target.current;
    if (seen.current !== step && wanted?.step !== step) window.scrollTo(0, 0);
  }, [step]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `tick` runs the effect again for the same step
  useEffect(() => {
    const wanted = target.current;
    if (wanted && wanted.step === step) {
      target.current = null;
      seen.current = step;
      // An opened card is on screen one frame later.
      const frame = requestAnimationFrame(() => focusPath(wanted.path));
      return () => cancelAnimationFrame(frame);
    }
    if (seen.current === step) return;
    seen.current = step;
    document.getElementById(STEP_TITLE_ID)?.focus({ preventScroll: true });
  }, [step, tick]);

  const focusAfterStep = useCallback((at: number | undefined, path: string | undefined) => {
    target.current = path === undefined ? null : { step: at, path };
    setTick((now) => now + 1);
  }, []);

  return { focusAfterStep };
}
