import { Text } from '@mantine/core';
import { useAnnounce } from '../../lib/messages/announce';
import { Panel } from '../../ui/basics/Panel';

/** The message about a completed action, such as a withdrawn change. */
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
