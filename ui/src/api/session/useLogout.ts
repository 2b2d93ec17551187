import { useState } from 'react';
import { useLocation } from 'react-router';
import { showSnackbar, showSnackbarAhead } from '../../lib/messages/snackbar';
import { useGo } from '../../lib/navigation/navigation';
import { isPage, paths } from '../../lib/routes/paths';
import { reasonOf } from '../failure';
import { logout } from './logout';

export const CARD_REMOVED = 'The rescue card that was kept on this device is removed.';

/**
 * Checks whether the visitor stays on the page after a logout: on the dashboard, or where a quote
 * starts.
 */
export function staysAfterLogout(pathname: string): boolean {
  return isPage(pathname, 'dashboard', 'home', 'front', 'cover');
}

export function useLogout() {
  const [leaving, setLeaving] = useState(false);
  const { pathname } = useLocation();
  const go = useGo();

  async function leave() {
    if (leaving) return;
    setLeaving(true);
    try {
      if (await logout()) showSnackbarAhead(CARD_REMOVED);
      if (!staysAfterLogout(pathname)) await go(paths.home());
      // Opens the dashboard's first section, without the state of an earlier link.
      else if (isPage(pathname, 'dashboard')) await go(paths.dashboard(), { replace: true });
    } catch (error) {
      showSnackbar(reasonOf(error));
    } finally {
      setLeaving(false);
    }
  }

  return { leave, leaving };
}
