import { Anchor, Button, Group, Text } from '@mantine/core';
import { useId } from 'react';
import { reasonOf, statusOf } from '../../../api/failure';
import { readPolicy, refreshCards, removeCard, type StoredCard } from '../../../api/policies/plans';
import { refreshPolicy } from '../../../api/policies/policy';
import { formatDateTime } from '../../../lib/dates/dates';
import { confirm } from '../../../lib/messages/confirm';
import { paths } from '../../../lib/routes/paths';
import { useSubmit } from '../../../lib/useSubmit';
import { cardExpiry, cardName } from '../../../shared/plan/cardText';
import { AppLink } from '../../../ui/basics/AppLink';
import { FormError } from '../../../ui/inputs/FormError';
import classes from './CardEntry.module.css';
import { paysFor, removalTexts, removedTexts } from './removalText';

interface Props {
  card: StoredCard;
  onRemoved: (texts: readonly string[]) => void;
}

const NOTHING = () => ({});

/** Shows a stored card: what it pays for and what its payer agreed to. A button removes it. */
export function CardEntry({ card, onRemoved }: Props) {
  const heading = useId();
  const { working, failure, run } = useSubmit(NOTHING);
  const name = cardName(card);
  const expiry = cardExpiry(card);

  const remove = () =>
    run(async () => {
      // What stops is read again, so that the question is true now.
      const policies = await Promise.all(card.policies.map(({ uuid }) => readPolicy(uuid)));
      const isConfirmed = await confirm({
        title: 'Remove this card',
        message: removalTexts(card, policies),
        yes: 'Remove card',
        cancel: 'Keep card',
      });
      if (!isConfirmed) return;
      try {
        const removed = await removeCard(card.id);
        onRemoved(removedTexts(card, removed));
      } catch (error) {
        // Another tab may have removed the card.
        if (statusOf(error) !== 404) throw error;
        await refreshCards();
        onRemoved([`${name} was removed before.`]);
      }
      for (const { info } of policies) void refreshPolicy(info.uuid);
    });

  return (
    <li aria-labelledby={heading}>
      <Group justify="space-between" align="flex-start" gap="0.5rem 1rem">
        <div className={classes.text}>
          <h3 id={heading} className={classes.name}>
            {name}
          </h3>
          {expiry && <Text size="sm">Valid until {expiry}</Text>}
          {!card.last_four && <Text size="sm">Stored {formatDateTime(card.agreed)}</Text>}
          <ul>
            {card.policies.map((policy) => (
              <li key={policy.uuid}>
                <Text size="sm" component="span">
                  {paysFor(policy)}{' '}
                  <Anchor component={AppLink} to={paths.policyView(policy.uuid)} underline="always">
                    policy {policy.reference}
                  </Anchor>
                </Text>
              </li>
            ))}
          </ul>
        </div>
        <Button
          variant="default"
          size="sm"
          aria-label={`Remove card: ${name}`}
          aria-disabled={working || undefined}
          onClick={() => void remove()}
        >
          {working ? 'Please wait...' : 'Remove card'}
        </Button>
      </Group>
      <FormError texts={[failure ? `The card was not removed. ${reasonOf(failure)}` : null]} />
      <details className="more">
        <summary>What was agreed</summary>
        <Text size="sm">{card.consent}</Text>
        <Text className="hint">Agreed {formatDateTime(card.agreed)}.</Text>
      </details>
    </li>
  );
}
