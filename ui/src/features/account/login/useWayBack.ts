import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { useGo } from '../../../lib/navigation';
import { ownPath } from '../../../lib/signOn';

/** After the login, leads back to the page that sent the visitor here to log in. */
export function useWayBack(loggedIn: boolean): void {
  const [params] = useSearchParams();
  const go = useGo();
  const way = ownPath(params.get('state'));
  useEffect(() => {
    if (loggedIn && way) void go(way, { replace: true });
  }, [loggedIn, way, go]);
}
