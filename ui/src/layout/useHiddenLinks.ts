import { useLocation } from 'react-router';
import { isPage } from '../lib/routes/paths';

/** Checks whether the layout hides its links: on payment pages, which the links would leave. */
export function useHiddenLinks(): boolean {
  return isPage(useLocation().pathname, 'payment', 'paymentProcessing');
}
