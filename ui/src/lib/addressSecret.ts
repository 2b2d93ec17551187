import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { readStored, removeStored, writeStored } from './storage';

function given(from: string, search: string, hash: string): string | null {
  const text = from === '#' ? hash.slice(1) : new URLSearchParams(search).get(from);
  return text || null;
}

/**
 * A secret that came in the address: a parameter's name, or `#` for the fragment. It leaves the
 * address bar and the history as soon as it is read, and survives a reload in this tab only.
 */
export function useAddressSecret(from: string, storedAs: string) {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const now = given(from, search, hash);
  const [kept, setKept] = useState(() => now ?? readStored<string>(storedAs, 'session'));

  useEffect(() => {
    if (!now) return;
    writeStored(storedAs, now, 'session');
    setKept(now);
    const params = new URLSearchParams(search);
    params.delete(from);
    const rest = params.toString();
    navigate(`${pathname}${rest && `?${rest}`}`, { replace: true, preventScrollReset: true });
  }, [now, from, storedAs, pathname, search, navigate]);

  const secret = now ?? kept;
  return {
    secret: typeof secret === 'string' ? secret : null,
    forget: () => {
      removeStored(storedAs, 'session');
      setKept(null);
    },
  };
}
