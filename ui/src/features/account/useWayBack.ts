import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { ownPath } from '../../lib/signOn';

/** Whoever was sent here to log in goes back to where that was asked of them. */
export function useWayBack(loggedIn: boolean): void {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const way = ownPath(params.get('state'));
  useEffect(() => {
    if (loggedIn && way) void navigate(way, { replace: true });
  }, [loggedIn, way, navigate]);
}
