import { useMemo } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import type { PlanChoice } from '../../api/policies/plans';
import type { PaymentQuery } from '../../lib/routes/paths';
import { planQuery } from '../../shared/plan/planQuery';

/**
 * The router state of links to the payment of a change. The page then does not first read the id as
 * a quote. After a full page load, the parameter `change` of the address has the same effect.
 */
export const FOR_CHANGE = { change: true } as const;

function useHasParam(name: keyof PaymentQuery): boolean {
  const [params] = useSearchParams();
  return params.has(name);
}

export function useForChange(): boolean {
  const state = useLocation().state as Partial<typeof FOR_CHANGE> | null;
  const isInAddress = useHasParam('change');
  return isInAddress || state?.change === true;
}

/** Returns which payments of a policy's plan the page is for. Returns null for other payments. */
export function usePlanChoice(): PlanChoice | null {
  const [params] = useSearchParams();
  const plan = params.get('plan');
  const keepCard = params.has('keep');
  return useMemo(
    () => (plan === null ? null : { rest: plan === 'rest', keepCard }),
    [plan, keepCard],
  );
}

/** Returns the part of the address's query that names what is paid. */
export function useTargetQuery(): PaymentQuery {
  const isForChange = useForChange();
  const plan = usePlanChoice();
  if (plan) return planQuery(plan);
  return { change: isForChange ? '1' : undefined };
}

/** Checks whether the page shows the result of a payment of a plan. */
export const useForPlan = () => useHasParam('plan');

/** Checks whether the previous page has just started the payment. */
export const useJustStarted = () => useHasParam('started');
