import { useLocation } from 'react-router';
import { isPage } from '../lib/routes/paths';

/** Whether the layout hides its links: on payment pages, which they would leave. */
export function useHiddenLinks(): boolean {
  return isPage(useLocation().pathname, 'payment', 'paymentProcessing');
}
