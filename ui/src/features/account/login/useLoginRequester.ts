import { useEffect } from 'react';
import { matchPath, useLocation } from 'react-router';
import { unstable_serialize, useSWRConfig } from 'swr';
import { type LoginOutcome, setLoginRequester } from '../../../api/client';
import { profileKey } from '../../../api/hooks';
import type { Profile } from '../../../api/types';
import { PATTERNS } from '../../../lib/routes/paths';
import { askToLogin, loginRequest } from '../../../shared/login/loginDialog';

/**
 * Returns the uuid of the quote or policy on the page, whose typed text stays during a login.
 * Returns undefined on any other page.
 */
function quoteOf(pathname: string): string | undefined {
  const pages = [PATTERNS.policyView, PATTERNS.quoteEdit];
  return pages.map((page) => matchPath(page, pathname)?.params.id).find((id) => id !== undefined);
}

/**
 * Opens the login for a call without a valid session. The API client repeats the call after the
 * login, unless another person has logged in.
 */
export function useLoginRequester(): void {
  const { cache } = useSWRConfig();
  const { pathname } = useLocation();
  useEffect(() => {
    const person = () => {
      const profile = cache.get(unstable_serialize(profileKey(null)))?.data as Profile | null;
      return profile?.user_uuid ?? null;
    };
    let pendingLogin: Promise<LoginOutcome> | null = null;
    const request = async (before: string | null): Promise<LoginOutcome> => {
      if (!(await askToLogin({ quote: quoteOf(pathname) }))) return 'none';
      return before === null || person() === before ? 'same' : 'other';
    };
    return setLoginRequester((prompt) => {
      const before = person();
      if (pendingLogin) return pendingLogin;
      // A form in an open login dialog shows its own errors. A call with the prompt `user` opens no
      // login if nobody was logged in.
      if (loginRequest.get() || (prompt === 'user' && before === null)) {
        return Promise.resolve('none');
      }
      pendingLogin = request(before).finally(() => {
        pendingLogin = null;
      });
      return pendingLogin;
    });
  }, [cache, pathname]);
}
