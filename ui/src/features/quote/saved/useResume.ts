import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import useSWR from 'swr';
import { api } from '../../../api/client';
import { isPassing } from '../../../api/failure';
import { useGo } from '../../../lib/navigation/navigation';
import { paths } from '../../../lib/routes/paths';
import { saveToken } from '../../../lib/storage/tokens';

function secretIn(hash: string): string | null {
  return new URLSearchParams(hash.slice(1)).get('resume') || null;
}

/**
 * Returns the secret of a mailed link, or null. Removes the secret from the address and the
 * history.
 */
function useSecret(): string | null {
  const { pathname, search, hash, state } = useLocation();
  const go = useGo();
  const now = secretIn(hash);
  const [token, setToken] = useState(now);
  useEffect(() => {
    if (!now) return;
    setToken(now);
    void go(`${pathname}${search}`, { replace: true, preventScrollReset: true, state });
  }, [now, pathname, search, state, go]);
  return now ?? token;
}

async function resume(secret: string): Promise<string> {
  const resumed = await api.post('/api/v1/quote/resume', { body: { secret }, login: 'never' });
  saveToken(resumed.uuid, resumed.consumer_token);
  return resumed.uuid;
}

type Resume = 'ready' | 'resumed' | 'opening' | 'dead' | { error: unknown; retry: () => void };

/**
 * Exchanges the secret of a mailed link for a token. Returns `dead` if the server refuses the
 * secret, and the error after any other failure. A page with a dead link still reads the quote,
 * because the browser or the account may have access.
 */
export function useResume(uuid: string): Resume {
  const secret = useSecret();
  const go = useGo();
  const { data, error, mutate } = useSWR(
    secret ? ['resume', secret] : null,
    ([, stored]) => resume(stored),
    { revalidateOnFocus: false, revalidateOnReconnect: false, shouldRetryOnError: false },
  );

  useEffect(() => {
    if (data && data !== uuid) void go(paths.quoteEdit(data), { replace: true });
  }, [data, uuid, go]);

  if (!secret) return 'ready';
  if (data === uuid) return 'resumed';
  if (!error) return 'opening';
  return isPassing(error) ? { error, retry: () => void mutate() } : 'dead';
}
