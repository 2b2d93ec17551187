import { useRef } from 'react';
import useSWR, { mutate, type SWRConfiguration } from 'swr';
import { paymentKey, readPayment } from '../../api/hooks';
import type { Payment } from '../../api/types';

type Attempt = Payment | null | undefined;

export const POLL_MS = 2000;

/** Quick while the answer is near, slower the longer it takes. */
export const BACKOFF_MS = [1000, 1500, 2000, 3000, 4000, 6000, 8000, 10_000] as const;

export function backoff(attempt: number): number {
  return BACKOFF_MS[Math.min(attempt, BACKOFF_MS.length - 1)] ?? POLL_MS;
}

/** A sale is over when there is a policy; a change of one tells by itself when it is made. */
function isSettled(payment: Payment): boolean {
  return payment.policy || Boolean(payment.adjustment_uuid);
}

/** Whether the gateway or the shop may still say something new. */
export function isOpen(payment: Attempt): boolean {
  if (!payment) return false;
  if (payment.status === 'paid') return !isSettled(payment);
  return payment.status === 'pending' || payment.status === 'processing';
}

const RETRY_MS = 3000;

/** However long the line was down, what became of the money is known soon after it is back. */
export const askAgain: SWRConfiguration['onErrorRetry'] = (_error, _key, _config, ask, options) => {
  setTimeout(() => void ask(options), RETRY_MS);
};

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
      onErrorRetry: askAgain,
    },
  );
}

/**
 * What was known of a payment is of an earlier attempt, or of before the card was entered: what
 * became of it has to be asked for, not remembered.
 */
export function forgetPayment(uuid: string): Promise<unknown> {
  return mutate(paymentKey(uuid), undefined, { revalidate: true });
}

/** Where an attempt leads once it is settled; null while it isn't. */
export function destination(payment: Attempt): string | null {
  if (!payment) return null;
  const bought = payment.adjustment_uuid ?? payment.quote_uuid;
  if (payment.status === 'paid' && isSettled(payment)) {
    return `/payment/success/${bought}`;
  }
  if (payment.status === 'failed' || payment.status === 'refunded') {
    return `/payment/failure/${bought}`;
  }
  return null;
}
