import { Text } from '@mantine/core';
import { Panel } from '../../components/basics/Panel';
import { useAnnounce } from '../../lib/messages/announce';

/** What has just been done, as the page says it until it is left. */
export interface ResultMessage {
  title: string;
  text: string;
}

export function ResultCard({ message }: { message: ResultMessage }) {
  useAnnounce(`${message.title}. ${message.text}`);
  return (
    <Panel title={message.title}>
      <Text>{message.text}</Text>
    </Panel>
  );
}
