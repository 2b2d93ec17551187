import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { FRONT_PRODUCT } from '../lib/products';
import { showSnackbar } from '../lib/snackbar';
import { reasonOf } from './failure';
import { logout } from './session';

const DASHBOARD = /^\/dashboard\/?$/;
const STAYS = new RegExp(`^/(dashboard|${FRONT_PRODUCT}(/[^/]*)?|cover/[^/]+)?/?$`);

/** After logout the visitor stays on the dashboard, the index and the pages where a quote begins. */
export function staysAfterLogout(pathname: string): boolean {
  return STAYS.test(pathname);
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
      if (!staysAfterLogout(pathname)) await navigate('/');
      // Of the dashboard, its first section, with nothing left of how one came there.
      else if (DASHBOARD.test(pathname)) await navigate('/dashboard', { replace: true });
    } catch (error) {
      showSnackbar(reasonOf(error));
    } finally {
      setLeaving(false);
    }
  }

  return { leave, leaving };
}
