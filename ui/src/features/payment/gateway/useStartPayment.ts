import { useCallback, useState } from 'react';
import useSWR from 'swr';
import { api } from '../../../api/client';
import { type PlanChoice, startPlanPayment } from '../../../api/policies/plans';
import type { PaymentStarted } from '../../../api/types';

/**
 * Starts or continues a payment. `visit` is the idempotency key of one visit to the page. A second
 * call with this key, after a lost response, starts no second attempt. With `plan`, the payment is
 * for the plan of the policy `uuid`.
 */
export function startPayment(
  uuid: string,
  provider: string,
  visit: string,
  plan: PlanChoice | null,
): Promise<PaymentStarted> {
  if (plan) return startPlanPayment(uuid, provider, visit, plan);
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
export function useStartPayment(uuid: string, provider: string, plan: PlanChoice | null) {
  const [visit, setVisit] = useState(() => crypto.randomUUID());
  const started = useSWR(
    ['initiate', provider, uuid, visit] as const,
    ([, through]) => startPayment(uuid, through, visit, plan),
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
