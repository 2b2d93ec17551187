import type { RemovedCard, StoredCard } from '../../../api/policies/plans';
import type { PolicyRead } from '../../../api/policies/policyTypes';
import { formatLongDate } from '../../../lib/dates/dates';
import { formatMoney } from '../../../lib/format/money';
import { cardName } from '../../../shared/plan/cardText';

type CardPolicy = StoredCard['policies'][number];

/** Returns the words before "policy X" about what a card pays for. */
export function paysFor({ renews, pays_plan: paysPlan }: CardPolicy): string {
  if (paysPlan) {
    return renews ? 'Pays monthly for, and at the renewal of,' : 'Pays the monthly payments of';
  }
  return renews ? 'Pays for the renewal of' : 'Pays for nothing at present:';
}

const notRenewed = ({ reference }: CardPolicy) =>
  `Policy ${reference} does not renew by itself any more.`;

function paymentsText({ info, policy }: PolicyRead): string {
  const plan = policy?.plan;
  const next = plan?.payments.find(({ due }) => due === plan.next_day);
  const amount = next && formatMoney(next.amount, info.price?.currency);
  const nextText = next ? ` The next one is ${amount} on ${formatLongDate(next.due)}.` : '';
  return `The monthly payments of policy ${info.custom_id} still fall due.${nextText} Without a card you pay them here yourself. If they stay unpaid, your cover can end.`;
}

/**
 * Returns the paragraphs of the question before a card is removed. `policies` are the policies of the
 * card as they are now.
 */
export function removalTexts(card: StoredCard, policies: readonly PolicyRead[]): string[] {
  const paid = card.policies.filter(({ pays_plan: paysPlan }) => paysPlan);
  const plans = policies.filter(({ info }) => paid.some(({ uuid }) => uuid === info.uuid));
  return [
    `We remove ${cardName(card).replace('Stored', 'the stored')} for good.`,
    ...card.policies.filter(({ renews }) => renews).map(notRenewed),
    ...plans.map(paymentsText),
    'A charge that has already begun may still be made, once.',
  ];
}

/** Returns the paragraphs about a removed card. */
export function removedTexts(card: StoredCard, removed: RemovedCard): string[] {
  const { stops, is_charging: isCharging } = removed;
  return [
    `${cardName(card)} is removed.`,
    ...stops.filter(({ renews }) => renews).map(notRenewed),
    ...stops
      .filter(({ pays_plan: paysPlan }) => paysPlan)
      .map(({ reference }) => `The monthly payments of policy ${reference} still fall due.`),
    ...(isCharging ? ['A charge of it had begun. It is made once, or not at all.'] : []),
  ];
}
