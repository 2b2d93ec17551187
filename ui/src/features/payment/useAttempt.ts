import { useState } from 'react';
import useSWR from 'swr';
import { api } from '../../api/client';
import type { PaymentStarted } from '../../api/types';

/**
 * Starts, or takes up again, the payment of a quote. One key a visit: a reload of the data or
 * a second try after a lost answer can't make a second attempt.
 */
export function useAttempt(uuid: string, provider: string | undefined) {
  const [visit] = useState(() => crypto.randomUUID());
  return useSWR(
    provider ? ['initiate', provider, uuid, visit] : null,
    () =>
      api.post<PaymentStarted>(
        `/api/v1/gateway/${provider}/initiate`,
        { uuid },
        { quote: uuid, idempotencyKey: visit },
      ),
    {
      revalidateIfStale: false,
      revalidateOnFocus: false,
      revalidateOnReconnect: false,
      shouldRetryOnError: false,
    },
  );
}
