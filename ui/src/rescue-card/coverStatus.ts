import type { Card, CardPolicy } from '../api/policies/rescueCard';

/** What a card says of a moment. */
export type State = 'covered' | 'not_yet' | 'ended' | 'cancelled';

export interface CoverStatus {
  policy: CardPolicy;
  state: State;
  /** When cover begins, where it hasn't. */
  begins: string | null;
  /** The moment from which nothing is covered, as far as is known. */
  ends: string | null;
}

/** The policy that counts at a moment, by the times that the card was told. */
function policyAt(card: Card, now: number): CardPolicy | undefined {
  const runs = ({ spans }: CardPolicy) => spans.some(({ ends }) => now < Date.parse(ends));
  return card.policies.find(runs) ?? card.policies.at(-1);
}

/** How a card stands at a moment. It needs no network: cover begins and ends by the device's clock. */
export function coverStatusAt(card: Card, now: number): CoverStatus | null {
  const policy = policyAt(card, now);
  if (!policy) return null;
  const { spans, standing } = policy;
  const ends = spans.at(-1)?.ends ?? null;
  const none = { policy, begins: null, ends };
  if (standing === 'cancelled') return { ...none, state: 'cancelled' };
  const next = spans.find((span) => now < Date.parse(span.ends));
  if (standing === 'ended' || !next) return { ...none, state: 'ended' };
  if (now < Date.parse(next.begins)) {
    return { ...none, state: 'not_yet', begins: next.begins };
  }
  return { ...none, ends: firstUncovered(card, next.ends), state: 'covered' };
}

/** The end of cover that begins again at once, as a renewal's does, is no end. */
function firstUncovered(card: Card, end: string): string {
  const follows = card.policies
    .flatMap(({ spans }) => spans)
    .find(({ begins, ends }) => begins <= end && end < ends);
  return follows ? firstUncovered(card, follows.ends) : end;
}
