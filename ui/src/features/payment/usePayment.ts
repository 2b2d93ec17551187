import { useRef } from 'react';
import useSWR, { mutate } from 'swr';
import { paymentKey, quoteKey, readPayment } from '../../api/hooks';
import type { Payment } from '../../api/types';

export const POLL_MS = 2000;

/** Quick while the answer is near, slower the longer it takes. */
export const BACKOFF_MS = [1000, 1500, 2000, 3000, 4000, 6000, 8000, 10_000] as const;

export function backoff(attempt: number): number {
  return BACKOFF_MS[Math.min(attempt, BACKOFF_MS.length - 1)] ?? POLL_MS;
}

/** Whether the gateway or the shop may still say something new. */
export function isOpen(payment: Payment | null | undefined): boolean {
  if (!payment) return false;
  if (payment.status === 'paid') return !payment.policy;
  return payment.status === 'pending' || payment.status === 'processing';
}

type Pace = 'steady' | 'backoff';

/** The newest attempt of a quote, asked for again and again while it is open. */
export function usePayment(uuid: string | null, pace: Pace) {
  const asked = useRef(0);
  return useSWR(
    uuid ? paymentKey(uuid) : null,
    () => {
      asked.current += 1;
      return readPayment(uuid ?? '');
    },
    {
      refreshInterval: (latest) => {
        if (pace === 'steady') return POLL_MS;
        return isOpen(latest) ? backoff(asked.current - 1) : 0;
      },
      dedupingInterval: 500,
      revalidateOnFocus: true,
      shouldRetryOnError: true,
      errorRetryInterval: 3000,
      errorRetryCount: 1000,
    },
  );
}

/** What was read before the sale is stale after it. */
export function forgetQuote(uuid: string): Promise<unknown> {
  return mutate(quoteKey(uuid));
}

/** Where an attempt leads once it is settled; null while it isn't. */
export function destination(payment: Payment | null | undefined): string | null {
  if (!payment) return null;
  if (payment.status === 'paid' && payment.policy) {
    return `/payment/success/${payment.quote_uuid}`;
  }
  if (payment.status === 'failed' || payment.status === 'refunded') {
    return `/payment/failure/${payment.quote_uuid}`;
  }
  return null;
}
