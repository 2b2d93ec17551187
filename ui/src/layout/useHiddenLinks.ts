import { useLocation } from 'react-router';
import { isPage } from '../lib/routes/paths';

/** Whether the layout hides its links, which lead away: on the pages on which somebody pays. */
export function useHiddenLinks(): boolean {
  return isPage(useLocation().pathname, 'payment', 'paymentProcessing');
}
