import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { useGo } from '../../../lib/navigation/navigation';
import { safePath } from '../../../lib/session/signOn';

/**
 * Opens the page in the address's parameter `state` after the login. Accepts only a path of this
 * website.
 */
export function useReturnTo(loggedIn: boolean): void {
  const [params] = useSearchParams();
  const go = useGo();
  const path = safePath(params.get('state'));
  useEffect(() => {
    if (loggedIn && path) void go(path, { replace: true });
  }, [loggedIn, path, go]);
}
