import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { isPage, paths } from '../lib/paths';
import { showSnackbar } from '../lib/snackbar';
import { reasonOf } from './failure';
import { logout } from './session';

/** After logout the visitor stays on the dashboard, the index and the pages where a quote begins. */
export function staysAfterLogout(pathname: string): boolean {
  return isPage(pathname, 'dashboard', 'home', 'front', 'cover');
}

export function useLogout() {
  const [leaving, setLeaving] = useState(false);
  const { pathname } = useLocation();
  const navigate = useNavigate();

  async function leave() {
    if (leaving) return;
    setLeaving(true);
    try {
      await logout();
      if (!staysAfterLogout(pathname)) await navigate(paths.home());
      // Of the dashboard, its first section, with nothing left of how one came there.
      else if (isPage(pathname, 'dashboard')) await navigate(paths.dashboard(), { replace: true });
    } catch (error) {
      showSnackbar(reasonOf(error));
    } finally {
      setLeaving(false);
    }
  }

  return { leave, leaving };
}
