import { useLocation, useSearchParams } from 'react-router';
import type { PaymentQuery } from '../../lib/routes/paths';

/**
 * Router state for links to the payment of a change. The page then does not first read the id as a
 * quote. A page that is loaded whole finds it in its address.
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

/** Whether the payment was started on the page before. */
export const useJustStarted = () => useHasParam('started');
