import { Text } from '@mantine/core';
import { Panel } from '../../components/basics/Panel';
import { useAnnounce } from '../../lib/announce';

/** What has just been done, as the page says it until it is left. */
export interface Told {
  title: string;
  text: string;
}

export function ToldCard({ told }: { told: Told }) {
  useAnnounce(`${told.title}. ${told.text}`);
  return (
    <Panel title={told.title}>
      <Text>{told.text}</Text>
    </Panel>
  );
}
