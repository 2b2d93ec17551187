import { Text } from '@mantine/core';
import { useAnnounce } from '../../lib/messages/announce';
import { Panel } from '../../ui/basics/Panel';

/** The result of an action. The page shows it until the visitor leaves. */
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
