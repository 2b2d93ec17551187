import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../api/client';
import { errorsOf, reasonOf } from '../../api/failure';
import {
  CARD_PAGE,
  canStoreCard,
  endKey,
  storeCard,
  storedCard,
} from '../../api/policies/rescueCard';
import { useSubmit } from '../../lib/useSubmit';
import { LinkButton } from '../../ui/basics/LinkButton';
import { Panel } from '../../ui/basics/Panel';
import { Icon } from '../../ui/icons/Icon';
import { FormError } from '../../ui/inputs/FormError';
import { useCoverHelp } from '../help/useCoverHelp';
import classes from './RescueCardPanel.module.css';

interface Props {
  uuid: string;
  product: string;
  /** Whether the reader may stop the policy's cards on every device. */
  owner: boolean;
}

const NOT_HERE = 'This browser can not keep it. Open your policy in the browser of your phone.';

/**
 * Offers the rescue card of a policy. Shows nothing until the product's help is read, or if the
 * help has opening hours.
 */
export function RescueCardPanel({ uuid, product, owner }: Props) {
  const help = useCoverHelp(product);
  const { working, failure, run } = useSubmit(errorsOf);
  const [full, setFull] = useState(false);
  if (!help || help.hours !== null) return null;

  const saveCard = () =>
    run(async () => {
      const created = await api.post('/api/v1/policy/{id}/rescue-card', {
        path: { id: uuid },
        quote: uuid,
      });
      const before = await storedCard();
      try {
        await storeCard(created);
      } catch {
        // The browser could not store the card, so the key is useless.
        await endKey(created.key);
        setFull(true);
        return;
      }
      if (before) void endKey(before.key);
      window.location.assign(CARD_PAGE);
    });

  return (
    <Panel title="Your rescue card" className="screenOnly">
      <Stack gap="sm">
        <CardPicture />
        <Text>For the roadside, without a network:</Text>
        <ul className={`lines ${classes.features}`}>
          <li className="iconLine">
            <Icon name="call" size={20} /> one tap to call {help.phone}
          </li>
          <li className="iconLine">
            <Icon name="map-pin" size={20} /> where you are, to send in a text
          </li>
          <li className="iconLine">
            <Icon name="car" size={20} /> plates, policy number and when cover begins
          </li>
          <li className="iconLine">
            <Icon name="shield" size={20} /> your documents
          </li>
        </ul>
        {canStoreCard() && !full ? (
          <Button variant="light" disabled={working} onClick={() => void saveCard()}>
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

/** Draws a phone that shows the rescue card. */
function CardPicture() {
  return (
    <svg className={classes.picture} viewBox="0 0 320 132" aria-hidden="true">
      <path
        d="M0 121h320"
        stroke="var(--layby-night-edge)"
        strokeDasharray="18 14"
        strokeWidth="3"
      />
      <rect fill="var(--layby-night-land)" x="94" y="14" width="132" height="150" rx="18" />
      <rect fill="#fff" x="101" y="21" width="118" height="150" rx="12" />
      <path fill="var(--layby-night)" d="M101 33a12 12 0 0 1 12-12h94a12 12 0 0 1 12 12v43H101z" />
      <circle fill="var(--layby-amber)" cx="115" cy="38" r="5" />
      <rect fill="#fff" x="126" y="34" width="58" height="8" rx="4" />
      <rect fill="#ffd21f" x="110" y="51" width="62" height="17" rx="3" />
      <path d="M117 59.5h20m7 0h21" stroke="var(--layby-ink)" strokeWidth="6" />
      <rect fill="var(--layby-amber)" x="110" y="84" width="100" height="30" rx="7" />
      <path
        fill="none"
        stroke="var(--layby-ink)"
        strokeLinejoin="round"
        strokeWidth="2"
        transform="translate(117 89) scale(.83)"
        d="M7 4h3l1.5 4-2 1.5a11 11 0 0 0 5 5l1.5-2 4 1.5v3a2 2 0 0 1-2.2 2C10.9 18.4 5.6 13.1 5 6.2A2 2 0 0 1 7 4z"
      />
      <rect fill="var(--layby-night)" x="143" y="96" width="52" height="7" rx="3.5" />
      <rect
        fill="none"
        stroke="var(--layby-edge)"
        x="110.5"
        y="120.5"
        width="99"
        height="30"
        rx="7"
      />
    </svg>
  );
}

function stoppedText(stopped: number): string {
  if (stopped === 0) return 'No card was kept anywhere.';
  return stopped === 1
    ? 'One card is stopped. It removes itself when its device is next online.'
    : `${stopped} cards are stopped. Each removes itself when its device is next online.`;
}

/** Shows a button that stops the policy's cards on every device, such as a lost phone. */
function StopCards({ uuid }: { uuid: string }) {
  const { working, failure, run } = useSubmit(errorsOf);
  const [stopped, setStopped] = useState<number | null>(null);
  const stop = () =>
    run(async () => {
      const stopped = await api.post('/api/v1/policy/{id}/rescue-card/stop', {
        path: { id: uuid },
        quote: uuid,
      });
      setStopped(stopped.stopped);
    });
  return (
    <div>
      <LinkButton size="sm" ta="left" disabled={working} onClick={() => void stop()}>
        Lost a phone? Stop the card on every device
      </LinkButton>
      <Text size="sm" role="status">
        {stopped !== null && stoppedText(stopped)}
      </Text>
      <FormError texts={failure ? [reasonOf(failure)] : []} />
    </div>
  );
}
