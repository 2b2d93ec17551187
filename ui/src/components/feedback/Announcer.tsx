import { VisuallyHidden } from '@mantine/core';
import { announced } from '../../lib/announce';
import { useSignal } from '../../lib/signal';

/** The one region that is always there for what parts of a page have to say as they come. */
export function Announcer() {
  const said = useSignal(announced);
  return (
    // Only what is added is read, not what is there still.
    <VisuallyHidden component="div" role="log" aria-live="polite" aria-label="Announcements">
      {said.map(({ key, text }) => (
        <p key={key}>{text}</p>
      ))}
    </VisuallyHidden>
  );
}
