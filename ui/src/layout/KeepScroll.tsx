import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { createScrollKey } from '../lib/scrollKey';
import { readStored, writeStored } from '../lib/storage';
import { useUnderway } from '../lib/underway';

const KEY = 'layby.scroll';

type Positions = Record<string, number>;

function readPositions(): Positions {
  const kept = readStored<Positions>(KEY, 'session');
  return typeof kept === 'object' && kept !== null ? kept : {};
}

/** The element that the end of an address names. */
function named(hash: string): HTMLElement | null {
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    return null;
  }
}

/**
 * A new page begins at its top, or where its address points; one that the visitor goes back to, or
 * loads again, where it was left.
 */
export function KeepScroll() {
  const location = useLocation();
  const { loading, keepsScroll, whenLeaving } = useUnderway();
  const [keyOf] = useState(createScrollKey);
  const positions = useRef<Positions>(null);
  positions.current ??= readPositions();
  const kept = positions.current;

  useEffect(() => {
    window.history.scrollRestoration = 'manual';
    return () => {
      window.history.scrollRestoration = 'auto';
    };
  }, []);

  useEffect(
    () =>
      whenLeaving((from) => {
        kept[keyOf(from)] = window.scrollY;
      }),
    [whenLeaving, keyOf, kept],
  );

  useEffect(() => {
    const leave = () => {
      if (!loading) kept[keyOf(location)] = window.scrollY;
      writeStored(KEY, kept, 'session');
      window.history.scrollRestoration = 'auto';
    };
    window.addEventListener('pagehide', leave);
    return () => window.removeEventListener('pagehide', leave);
  }, [loading, location, keyOf, kept]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only another address scrolls
  useLayoutEffect(() => {
    const last = kept[keyOf(location)];
    const target = location.hash ? named(location.hash) : null;
    // Not returned: newer browsers answer a scroll with a promise, which React would take for the
    // function that ends this effect.
    if (last !== undefined) window.scrollTo(0, last);
    else if (target) target.scrollIntoView();
    else if (!keepsScroll) window.scrollTo(0, 0);
  }, [location]);

  return null;
}
