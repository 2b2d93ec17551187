import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../api/client';
import { errorsOf, reasonOf } from '../../api/failure';
import { CARD_PAGE, canKeepCard, endKey, keepCard, keptCard } from '../../api/rescueCard';
import { useSubmit } from '../../lib/useSubmit';
import { Panel } from '../basics/Panel';
import { Icon } from '../icons/Icon';
import { FormError } from '../inputs/FormError';
import classes from './KeepCard.module.css';
import { useCoverHelp } from './useCoverHelp';

interface Props {
  uuid: string;
  product: string;
  /** Whether the reader may stop the cards that are kept elsewhere. */
  owner: boolean;
}

const NOT_HERE = 'This browser can not keep it. Open your policy in the browser of your phone.';

/** Offers the rescue card of a policy whose help comes to the roadside. */
export function KeepCard({ uuid, product, owner }: Props) {
  const help = useCoverHelp(product);
  const { working, failure, run } = useSubmit(errorsOf);
  const [full, setFull] = useState(false);
  if (!help || help.hours !== null) return null;

  const keep = () =>
    run(async () => {
      const kept = await api.post('/api/v1/policy/{id}/rescue-card', {
        path: { id: uuid },
        quote: uuid,
      });
      const before = await keptCard();
      try {
        await keepCard(kept);
      } catch {
        // Nothing could be stored: the key is of no use.
        await endKey(kept.key);
        setFull(true);
        return;
      }
      if (before) void endKey(before.key);
      window.location.assign(CARD_PAGE);
    });

  return (
    <Panel title="Your rescue card" className={classes.card}>
      <Stack gap="sm">
        <Text>For the roadside, without a network:</Text>
        <ul className={classes.has}>
          <li>
            <Icon name="call" size={20} /> one tap to call {help.phone}
          </li>
          <li>
            <Icon name="map-pin" size={20} /> one tap to send where you are
          </li>
          <li>
            <Icon name="car" size={20} /> plates, policy number and when cover begins
          </li>
          <li>
            <Icon name="shield" size={20} /> your documents
          </li>
        </ul>
        {canKeepCard() && !full ? (
          <Button disabled={working} onClick={() => void keep()}>
            {working ? 'Please wait...' : 'Keep this on my phone'}
          </Button>
        ) : (
          <Text role={full ? 'status' : undefined}>{NOT_HERE}</Text>
        )}
        <FormError texts={failure ? [reasonOf(failure)] : []} />
        <Text size="sm" c="dimmed">
          Nothing is kept unless you choose it. It stays in this browser until you remove it or log
          out here, and takes the place of a card that is kept already.
        </Text>
        {owner && <StopCards uuid={uuid} />}
      </Stack>
    </Panel>
  );
}

function stoppedText(stopped: number): string {
  if (stopped === 0) return 'No card was kept anywhere.';
  return stopped === 1
    ? 'One card is stopped. It removes itself when its device is next online.'
    : `${stopped} cards are stopped. Each removes itself when its device is next online.`;
}

/** Stops the cards on every device, such as a phone that was lost. */
function StopCards({ uuid }: { uuid: string }) {
  const { working, failure, run } = useSubmit(errorsOf);
  const [stopped, setStopped] = useState<number | null>(null);
  const stop = () =>
    run(async () => {
      const done = await api.post('/api/v1/policy/{id}/rescue-card/stop', {
        path: { id: uuid },
        quote: uuid,
      });
      setStopped(done.stopped);
    });
  return (
    <div>
      <Anchor
        component="button"
        type="button"
        size="sm"
        disabled={working}
        onClick={() => void stop()}
      >
        Lost a phone? Stop the card on every device
      </Anchor>
      <Text size="sm" role="status">
        {stopped !== null && stoppedText(stopped)}
      </Text>
      <FormError texts={failure ? [reasonOf(failure)] : []} />
    </div>
  );
}
