import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { ownPath } from '../../lib/signOn';

/** After the login, leads back to the page that sent the visitor here to log in. */
export function useWayBack(loggedIn: boolean): void {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const way = ownPath(params.get('state'));
  useEffect(() => {
    if (loggedIn && way) void navigate(way, { replace: true });
  }, [loggedIn, way, navigate]);
}
