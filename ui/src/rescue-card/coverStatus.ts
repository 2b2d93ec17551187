import type { Card, CardPolicy } from '../api/policies/rescueCard';

/** The state of a card at a moment. */
export type CoverState = 'covered' | 'not_yet' | 'ended' | 'cancelled';

export interface CoverStatus {
  policy: CardPolicy;
  state: CoverState;
  /** The start of cover, if it is in the future. */
  begins: string | null;
  /**
   * The first moment without cover if the state is `covered`. For any other state, the end of the
   * policy's last period, or null without periods.
   */
  ends: string | null;
}

/** Returns the first policy with a period that has not ended at `now`, or the last policy. */
function policyAt(card: Card, now: number): CardPolicy | undefined {
  const runs = ({ cover_periods }: CardPolicy) =>
    cover_periods.some(({ ends }) => now < Date.parse(ends));
  return card.policies.find(runs) ?? card.policies.at(-1);
}

/**
 * Returns the status of a card at a moment. The device's clock decides, without a network. Returns
 * null for a card without policies.
 */
export function coverStatusAt(card: Card, now: number): CoverStatus | null {
  const policy = policyAt(card, now);
  if (!policy) return null;
  const { cover_periods, status } = policy;
  const ends = cover_periods.at(-1)?.ends ?? null;
  const none = { policy, begins: null, ends };
  if (status === 'cancelled') return { ...none, state: 'cancelled' };
  const next = cover_periods.find((span) => now < Date.parse(span.ends));
  if (status === 'ended' || !next) return { ...none, state: 'ended' };
  if (now < Date.parse(next.begins)) {
    return { ...none, state: 'not_yet', begins: next.begins };
  }
  return { ...none, ends: firstUncovered(card, next.ends), state: 'covered' };
}

/**
 * Returns the first moment without cover, at `end` or later. If another period contains the moment
 * `end`, as at a renewal, cover continues to the end of that period.
 */
function firstUncovered(card: Card, end: string): string {
  const follows = card.policies
    .flatMap(({ cover_periods }) => cover_periods)
    .find(({ begins, ends }) => begins <= end && end < ends);
  return follows ? firstUncovered(card, follows.ends) : end;
}
