import { useLocation, useSearchParams } from 'react-router';
import type { PaymentQuery } from '../../lib/routes/paths';

/**
 * Router state for links to a payment page that is about a change of a policy: with it the page
 * does not first look for a quote of that id. A page that is loaded whole finds it in its address.
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

/** Whether the payment was begun on the page before this one. */
export const useJustBegun = () => useHasParam('begun');
