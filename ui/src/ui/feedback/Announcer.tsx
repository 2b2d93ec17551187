import { VisuallyHidden } from '@mantine/core';
import { announced } from '../../lib/messages/announce';
import { useSignal } from '../../lib/useSignal';

/** Shows the page's live region for announcements. */
export function Announcer() {
  const entries = useSignal(announced);
  return (
    // Screen readers announce only added texts, not the texts already in the region.
    <VisuallyHidden component="div" role="log" aria-live="polite" aria-label="Announcements">
      {entries.map(({ key, text }) => (
        <p key={key}>{text}</p>
      ))}
    </VisuallyHidden>
  );
}
