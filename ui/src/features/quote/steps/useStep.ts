import { useCallback } from 'react';
import { useSearchParams } from 'react-router';
import type { Step } from '../../../form/types';
import { LAST_STEP } from '../../../lib/routes/paths';

/** Keeps the current step in the address, so that the browser's Back works. */
export function useStep(steps: Step[]) {
  const [params, setParams] = useSearchParams();
  const stepParam = params.get('step');
  const current =
    stepParam === LAST_STEP
      ? steps.at(-1)
      : (steps.find((step) => step.number === Number(stepParam)) ?? steps[0]);

  const goTo = useCallback(
    (step: number, options: { replace?: boolean } = {}) => {
      setParams(
        (now) => {
          const next = new URLSearchParams(now);
          if (step === steps[0]?.number) next.delete('step');
          else next.set('step', String(step));
          return next;
        },
        { replace: options.replace, preventScrollReset: true },
      );
    },
    [setParams, steps],
  );
  return { current, goTo };
}
