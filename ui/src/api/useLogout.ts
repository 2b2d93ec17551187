import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { showSnackbar } from '../lib/snackbar';
import { ApiError, DEFAULT_MESSAGE } from './client';
import { logout } from './session';

const STAYS = /^\/(dashboard|breakdown(\/[^/]*)?)?\/?$/;

/** After logout the visitor stays on the dashboard, the index and the breakdown-cover page. */
export function staysAfterLogout(pathname: string): boolean {
  return STAYS.test(pathname);
}

export function useLogout() {
  const [leaving, setLeaving] = useState(false);
  const { pathname } = useLocation();
  const navigate = useNavigate();

  async function leave() {
    setLeaving(true);
    try {
      await logout();
      if (!staysAfterLogout(pathname)) await navigate('/');
    } catch (error) {
      showSnackbar(error instanceof ApiError ? error.message : DEFAULT_MESSAGE);
    } finally {
      setLeaving(false);
    }
  }

  return { leave, leaving };
}
