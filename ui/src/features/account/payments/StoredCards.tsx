import { Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useCards } from '../../../api/policies/plans';
import { Panel } from '../../../ui/basics/Panel';
import { SectionSkeleton } from '../../../ui/feedback/PageSkeleton';
import { RetryLine } from '../../../ui/feedback/RetryLine';
import { CardEntry } from './CardEntry';

/** Shows the customer's stored cards, and the result of removing one. */
export function StoredCards() {
  const read = useCards();
  const { data: cards, error } = read;
  const [result, setResult] = useState<readonly string[]>([]);
  const message = useRef<HTMLDivElement>(null);

  // The pressed button has disappeared, so the focus moves to the result.
  useEffect(() => {
    if (result.length > 0) message.current?.focus();
  }, [result]);

  return (
    <Panel title="Stored cards">
      <Stack gap="md">
        {result.length > 0 && (
          <div ref={message} tabIndex={-1} className="note anchor">
            {result.map((text) => (
              <p key={text}>{text}</p>
            ))}
          </div>
        )}
        {!cards && !error && <SectionSkeleton label="Loading your cards" height={80} />}
        {!cards && error && <RetryLine text="Your cards could not be loaded." read={read} />}
        {cards?.length === 0 && (
          <Text>
            No card is stored. We store a card only if you agree to it, to pay monthly or to renew
            by itself.
          </Text>
        )}
        {cards && cards.length > 0 && (
          <ul className="rows">
            {cards.map((card) => (
              <CardEntry key={card.id} card={card} onRemoved={setResult} />
            ))}
          </ul>
        )}
      </Stack>
    </Panel>
  );
}
