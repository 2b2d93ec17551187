import { useCallback, useState } from 'react';
import useSWR from 'swr';
import { api } from '../../../api/client';
import type { PaymentStarted } from '../../../api/types';

/**
 * Starts or continues a payment. `visit` is the idempotency key of one visit to the page. A second
 * call with this key, after a lost response, starts no second attempt.
 */
export function startPayment(
  uuid: string,
  provider: string,
  visit: string,
): Promise<PaymentStarted> {
  return api.post('/api/v1/gateway/{provider}/initiate', {
    path: { provider },
    header: { 'Idempotency-Key': visit },
    body: { uuid },
    quote: uuid,
  });
}

/**
 * Starts or continues a payment with a gateway as soon as the component is shown. `restart` starts or
 * continues the payment once more.
 */
export function useStartPayment(uuid: string, provider: string) {
  const [visit, setVisit] = useState(() => crypto.randomUUID());
  const started = useSWR(
    ['initiate', provider, uuid, visit] as const,
    ([, through]) => startPayment(uuid, through, visit),
    {
      revalidateIfStale: false,
      revalidateOnFocus: false,
      revalidateOnReconnect: false,
      shouldRetryOnError: false,
    },
  );
  const restart = useCallback(() => setVisit(crypto.randomUUID()), []);
  return { ...started, restart };
}
