import { useRef } from 'react';
import useSWR, { mutate, type SWRConfiguration } from 'swr';
import { paymentKey, readPayment } from '../../../api/hooks';
import type { Payment } from '../../../api/types';
import { paths } from '../../../lib/routes/paths';

type Attempt = Payment | null | undefined;

export const POLL_MS = 2000;

/** The pauses between reads of a payment, in milliseconds. They grow with the number of reads. */
export const BACKOFF_MS = [1000, 1500, 2000, 3000, 4000, 6000, 8000, 10_000] as const;

export function backoff(attempt: number): number {
  return BACKOFF_MS[Math.min(attempt, BACKOFF_MS.length - 1)] ?? POLL_MS;
}

/**
 * Checks whether a paid attempt is complete. A sale is complete with the policy. A payment for a
 * change is complete immediately, because the change has a status of its own.
 */
function isSettled(payment: Payment): boolean {
  return payment.policy || Boolean(payment.adjustment_uuid);
}

/** Checks whether the attempt is pending or processing, or is paid but not complete. */
export function isOpen(payment: Attempt): boolean {
  if (!payment) return false;
  if (payment.status === 'paid') return !isSettled(payment);
  return payment.status === 'pending' || payment.status === 'processing';
}

/**
 * Checks whether the attempt failed but the server does not know whether the card was charged.
 */
export function isUnclear(payment: Payment): boolean {
  return payment.status === 'failed' && payment.charged === null;
}

const UNCLEAR_MS = 30_000;

/** Checks whether the attempt bought nothing and its refund is pending. */
function isRefunding(payment: Payment): boolean {
  return payment.status === 'refunded' && payment.refund === 'pending';
}

const RETRY_MS = 3000;

/**
 * Repeats a failed read after a fixed pause, so that the payment is read soon after a time offline.
 */
export const retryRead: SWRConfiguration['onErrorRetry'] = (
  _error,
  _key,
  _config,
  ask,
  options,
) => {
  setTimeout(() => void ask(options), RETRY_MS);
};

type PollMode = 'steady' | 'backoff';

/**
 * Reads the newest attempt for a quote or a change. With `steady`, reads it again at a fixed
 * interval. With `backoff`, reads it again while its state may change.
 */
export function usePaymentStatus(uuid: string | null, pollMode: PollMode) {
  const readCount = useRef(0);
  return useSWR(
    uuid ? paymentKey(uuid) : null,
    () => {
      readCount.current += 1;
      return readPayment(uuid ?? '');
    },
    {
      refreshInterval: (latest) => {
        if (pollMode === 'steady') return POLL_MS;
        if (latest && (isUnclear(latest) || isRefunding(latest))) return UNCLEAR_MS;
        return isOpen(latest) ? backoff(readCount.current - 1) : 0;
      },
      dedupingInterval: 500,
      revalidateOnFocus: true,
      shouldRetryOnError: true,
      onErrorRetry: retryRead,
    },
  );
}

/** Drops the cached payment, which may be an earlier attempt. */
export function forgetPayment(uuid: string): Promise<unknown> {
  return mutate(paymentKey(uuid), undefined, { revalidate: true });
}

/**
 * Returns the address of the page for an ended attempt. Returns null without an attempt, or while
 * the attempt is open.
 */
export function destination(payment: Attempt): string | null {
  if (!payment) return null;
  const { pays_plan: ofPlan } = payment;
  // A policy has many payments of its plan, so each has its own address.
  const subjectId = ofPlan ? payment.payment_id : (payment.adjustment_uuid ?? payment.quote_uuid);
  if (payment.status === 'paid' && isSettled(payment)) {
    return paths.paymentSuccess(subjectId, ofPlan);
  }
  if (payment.status === 'failed' || payment.status === 'refunded') {
    return paths.paymentFailure(subjectId);
  }
  return null;
}
