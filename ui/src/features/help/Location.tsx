import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { serverTime } from '../../api/serverTime';
import {
  accuracyText,
  findPlace,
  formatLocation,
  type MessageTime,
  messageLink,
  messageOf,
  messageTime,
  type Position,
} from '../../lib/location/location';
import { Panel } from '../../ui/basics/Panel';
import { Icon } from '../../ui/icons/Icon';
import classes from './Location.module.css';

interface Found extends MessageTime {
  place: Position;
}

/** Shows where the visitor is: coordinates to read out, or to share. */
export function Location() {
  const [working, setWorking] = useState(false);
  const [found, setFound] = useState<Found | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  const find = async () => {
    if (working) return;
    setWorking(true);
    setFailure(null);
    try {
      const [place, server] = await Promise.all([findPlace(), serverTime()]);
      setFound({ place, ...messageTime(Date.now(), server) });
    } catch (error) {
      setFound(null);
      setFailure(error instanceof Error ? error.message : String(error));
    } finally {
      setWorking(false);
    }
  };

  return (
    <Panel title="Where you are" className={classes.location}>
      <Stack gap="md" align="flex-start">
        <Text>
          Your phone can find its coordinates, for you to read out or to share. We get them only if
          you send them.
        </Text>
        <Button
          variant={found ? 'default' : 'light'}
          leftSection={<Icon name="map-pin" size={20} />}
          aria-disabled={working || undefined}
          onClick={() => void find()}
        >
          {found || failure ? 'Find it again' : 'Find where I am'}
        </Button>
        <div role="status" className={classes.result}>
          {working ? (
            <Text>Finding out where you are…</Text>
          ) : failure ? (
            <Text>{failure}</Text>
          ) : (
            found && <Result {...found} />
          )}
        </div>
      </Stack>
    </Panel>
  );
}

function Result({ place, time, note }: Found) {
  const text = messageOf(place, { time });
  // A visitor who closes the list of recipients shares nothing, which is no error.
  const share = () => void navigator.share({ text }).catch(() => undefined);
  return (
    <>
      <p className={classes.position}>{formatLocation(place)}</p>
      <Text>{accuracyText(place)}</Text>
      {note && <Text>{note}</Text>}
      <Group gap="sm" mt="md">
        {'share' in navigator && (
          <Button variant="default" onClick={share}>
            Share it
          </Button>
        )}
        <Button variant="default" component="a" href={messageLink(null, text)}>
          Send it as a text
        </Button>
      </Group>
    </>
  );
}
