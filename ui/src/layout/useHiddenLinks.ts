import { useLocation } from 'react-router';
import { isPage } from '../lib/routes/paths';

/**
 * Checks whether the layout hides its links: on the pages of a payment in progress. A link would
 * leave the payment.
 */
export function useHiddenLinks(): boolean {
  return isPage(useLocation().pathname, 'payment', 'paymentProcessing');
}
