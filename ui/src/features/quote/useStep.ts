import { useCallback } from 'react';
import { useSearchParams } from 'react-router';
import type { Step } from '../../form/types';

/** The step one is on lives in the address, so that the browser's Back works. */
export function useStep(steps: Step[]) {
  const [params, setParams] = useSearchParams();
  const wanted = Number(params.get('step'));
  const current = steps.find((step) => step.number === wanted) ?? steps[0];

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
