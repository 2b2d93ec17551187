import { useState } from 'react';
import useSWR from 'swr';
import { api } from '../../api/client';

/**
 * Starts or continues the payment of a quote. Each visit has one idempotency key, so that a second
 * call, after a lost answer, makes no second attempt.
 */
export function useStartPayment(uuid: string, provider: string | undefined) {
  const [visit] = useState(() => crypto.randomUUID());
  return useSWR(
    provider ? (['initiate', provider, uuid, visit] as const) : null,
    ([, through]) =>
      api.post('/api/v1/gateway/{provider}/initiate', {
        path: { provider: through },
        header: { 'Idempotency-Key': visit },
        body: { uuid },
        quote: uuid,
      }),
    {
      revalidateIfStale: false,
      revalidateOnFocus: false,
      revalidateOnReconnect: false,
      shouldRetryOnError: false,
    },
  );
}
