import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { useNavigation } from '../../lib/navigation/navigation';
import { readStored, writeStored } from '../../lib/storage/storage';

const KEY = 'layby.scroll';

/** Where a page was left: how far down it was, and how high its main part. */
interface Place {
  y: number;
  mainHeight: number;
}

type Places = Record<string, Place | undefined>;

function readPlaces(): Places {
  const stored = readStored<Places>(KEY, 'session');
  return typeof stored === 'object' && stored !== null ? stored : {};
}

/** The element that the end of an address names. */
function named(hash: string): HTMLElement | null {
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    return null;
  }
}

/** What keeps the room of parts that are not there yet. */
const PLACEHOLDER = '[data-placeholder]';

/** How long parts of a page are waited for, in milliseconds. */
const MAX_WAIT_MS = 10_000;

/** Asks at each change of a page until what is waited for is there, or for as long as anybody would wait. */
function whenComplete(
  element: HTMLElement,
  isComplete: () => boolean,
  onComplete?: () => void,
): () => void {
  const observer = new MutationObserver(() => {
    if (isComplete()) end();
  });
  const stop = () => {
    clearTimeout(timer);
    observer.disconnect();
  };
  const end = () => {
    stop();
    onComplete?.();
  };
  const timer = setTimeout(end, MAX_WAIT_MS);
  observer.observe(element, { childList: true, subtree: true });
  return stop;
}

const main = () => document.getElementById('main');

const currentPosition = (): Place => ({ y: window.scrollY, mainHeight: main()?.offsetHeight ?? 0 });

/** Goes to where a page was left, which may be below what is there of it yet: its room is kept till then. */
function returnTo({ y, mainHeight }: Place): () => void {
  const mainPart = main();
  const isTooShort = mainPart !== null && mainPart.offsetHeight < mainHeight;
  if (isTooShort) {
    mainPart.style.minHeight = `${mainHeight}px`;
    // What comes above must not take the place along.
    document.body.style.overflowAnchor = 'none';
  }
  window.scrollTo(0, y);
  if (!isTooShort) return () => {};
  const release = () => {
    mainPart.style.minHeight = '';
    document.body.style.overflowAnchor = '';
  };
  const stop = whenComplete(
    mainPart,
    () => {
      if (mainPart.querySelector(PLACEHOLDER)) return false;
      const ends = [...mainPart.children].map((child) => child.getBoundingClientRect().bottom);
      const inside = Math.max(0, ...ends) - mainPart.getBoundingClientRect().top;
      const paddingBottom = Number.parseFloat(getComputedStyle(mainPart).paddingBottom) || 0;
      return Math.ceil(inside + paddingBottom) >= Math.floor(mainHeight);
    },
    release,
  );
  return () => {
    stop();
    release();
  };
}

/** Goes to what an address names once it is there, unless the visitor has gone elsewhere meanwhile. */
function goTo(hash: string): (() => void) | undefined {
  window.scrollTo(0, 0);
  const part = main();
  if (!part) return undefined;
  return whenComplete(part, () => {
    if (window.scrollY > 0) return true;
    const target = named(hash);
    target?.scrollIntoView();
    return target !== null;
  });
}

/**
 * A new page begins at its top, or where its address points; one that the visitor goes back to, or
 * loads again, where it was left.
 */
export function ScrollRestoration() {
  const location = useLocation();
  const { loading, keepsScroll, onLeave } = useNavigation();
  const places = useRef<Places>(null);
  places.current ??= readPlaces();
  const positions = places.current;

  useEffect(() => {
    window.history.scrollRestoration = 'manual';
    return () => {
      window.history.scrollRestoration = 'auto';
    };
  }, []);

  useEffect(
    () =>
      onLeave((from) => {
        positions[from.key] = currentPosition();
      }),
    [onLeave, positions],
  );

  useEffect(() => {
    const leave = () => {
      if (!loading) positions[location.key] = currentPosition();
      writeStored(KEY, positions, 'session');
      window.history.scrollRestoration = 'auto';
    };
    window.addEventListener('pagehide', leave);
    return () => window.removeEventListener('pagehide', leave);
  }, [loading, location, positions]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only another address scrolls
  useLayoutEffect(() => {
    const last = positions[location.key];
    const target = location.hash ? named(location.hash) : null;
    // What a scroll answers is not returned: newer browsers answer with a promise, which React would take for the
    // function that ends this effect.
    if (typeof last?.y === 'number') return returnTo(last);
    if (target) target.scrollIntoView();
    else if (keepsScroll) return;
    else if (location.hash) return goTo(location.hash);
    else window.scrollTo(0, 0);
  }, [location]);

  return null;
}
