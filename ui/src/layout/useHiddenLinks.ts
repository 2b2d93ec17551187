import { useLocation } from 'react-router';
import { isPage } from '../lib/routes/paths';

/**
 * Checks whether the layout hides its links. It does on the pages of a payment in progress, because
 * a link would leave the payment.
 */
export function useHiddenLinks(): boolean {
  return isPage(useLocation().pathname, 'payment', 'paymentProcessing');
}
