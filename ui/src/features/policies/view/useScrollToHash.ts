import { useEffect } from 'react';
import { useLocation } from 'react-router';

/**
 * Scrolls to the element that the address's fragment names, and focuses the element, once `ready`
 * is true.
 */
export function useScrollToHash(ready: boolean): void {
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a link that is followed again scrolls again
  useEffect(() => {
    if (!ready || hash.length < 2) return;
    const target = document.getElementById(hash.slice(1));
    target?.scrollIntoView({ block: 'start' });
    target?.focus({ preventScroll: true });
  }, [ready, hash, key]);
}
