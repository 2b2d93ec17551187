import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { useGo } from '../../lib/navigation/navigation';
import { readStored, removeStored, writeStored } from '../../lib/storage/storage';

function secretIn(from: string, search: string, hash: string): string | null {
  const text = from === '#' ? hash.slice(1) : new URLSearchParams(search).get(from);
  return text || null;
}

/**
 * Reads a secret from the query parameter `from`, or from the fragment if `from` is `#`. Removes
 * the secret from the address and the history. Stores the secret for a reload of this tab.
 */
export function useAddressSecret(from: string, storedAs: string) {
  const { pathname, search, hash } = useLocation();
  const go = useGo();
  const now = secretIn(from, search, hash);
  const [stored, setStored] = useState(() => now ?? readStored<string>(storedAs, 'session'));

  useEffect(() => {
    if (!now) return;
    writeStored(storedAs, now, 'session');
    setStored(now);
    const params = new URLSearchParams(search);
    params.delete(from);
    const rest = params.toString();
    void go(`${pathname}${rest && `?${rest}`}`, { replace: true, preventScrollReset: true });
  }, [now, from, storedAs, pathname, search, go]);

  const secret = now ?? stored;
  return {
    secret: typeof secret === 'string' ? secret : null,
    forget: () => {
      removeStored(storedAs, 'session');
      setStored(null);
    },
  };
}
