import { type RefObject, useEffect, useRef } from 'react';
import { createSignal } from '../../lib/signal';
import { useSignal } from '../../lib/useSignal';

/** Whether the title of the account gets the focus when it appears. */
export const shouldFocusTitle = createSignal(false);

/** Focuses a title after a login in the page: the pressed button no longer exists. */
export function useFocusAfterLogin(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const shouldFocus = useSignal(shouldFocusTitle);
  // Runs after every render: the title appears when its page has loaded.
  useEffect(() => {
    if (!shouldFocus || !heading.current) return;
    shouldFocusTitle.set(false);
    heading.current.focus();
  });
  return heading;
}
