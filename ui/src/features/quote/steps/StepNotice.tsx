import { Group } from '@mantine/core';
import type { ReactNode } from 'react';

/** Shows a line of text above the cards, with optional buttons. */
export function StepNotice({ text, children }: { text: ReactNode; children?: ReactNode }) {
  return (
    <div className="strip screenOnly">
      <p>{text}</p>
      {children && <Group gap="xs">{children}</Group>}
    </div>
  );
}
