import { mutate } from 'swr';
import { address, api } from '../client';
import { ON_DEMAND, useRead } from '../read';
import type { PaymentStarted, Wire } from '../types';
import type { PolicyRead } from './policyTypes';

export type StoredCard = Wire['StoredCard'];
export type RemovedCard = Wire['RemovedCard'];

/** What a customer pays of a plan: what is due, or all that is left. */
export interface PlanChoice {
  rest: boolean;
  /** Whether the later payments of the plan are charged to this card. */
  keepCard: boolean;
}

/** Starts or continues a payment of a plan. `visit` is the idempotency key. */
export function startPlanPayment(
  policy: string,
  provider: string,
  visit: string,
  { rest, keepCard }: PlanChoice,
): Promise<PaymentStarted> {
  return api.post('/api/v1/policy/{id}/pay', {
    path: { id: policy },
    header: { 'Idempotency-Key': visit },
    body: { provider, rest, keep_card: keepCard },
  });
}

const CARDS = '/api/v1/profile/cards';

/** Reads the stored cards of the person logged in, newest first. */
export function useCards(isLoggedIn = true) {
  return useRead(CARDS, isLoggedIn ? {} : null, ON_DEMAND);
}

/** Reads the stored cards on the screen again. */
export function refreshCards(): Promise<unknown> {
  return mutate(address(CARDS));
}

/** Removes a stored card from all policies, and reads the list again. */
export async function removeCard(id: string): Promise<RemovedCard> {
  const removed = await api.post('/api/v1/profile/cards/{id}/remove', { path: { id } });
  await refreshCards();
  return removed;
}

/** Reads a policy as it is now, without the cache. */
export function readPolicy(uuid: string): Promise<PolicyRead> {
  return api.get('/api/v2/policy/read/{id}', { path: { id: uuid } });
}
