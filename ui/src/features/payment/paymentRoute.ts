import { useLocation, useSearchParams } from 'react-router';
import type { PaymentQuery } from '../../lib/routes/paths';

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

/** Checks whether the previous page has just started the payment. */
export const useJustStarted = () => useHasParam('started');
