import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { useNavigation } from '../../lib/navigation/navigation';
import { readStored, writeStored } from '../../lib/storage/storage';

const KEY = 'layby.scroll';

/** The scroll position of a page, and the height of its main part. */
interface ScrollPosition {
  y: number;
  mainHeight: number;
}

type Places = Record<string, ScrollPosition | undefined>;

function readPlaces(): Places {
  const stored = readStored<Places>(KEY, 'session');
  return typeof stored === 'object' && stored !== null ? stored : {};
}

/** Returns the element that a hash names, or null if there is none. */
function named(hash: string): HTMLElement | null {
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    return null;
  }
}

/** The selector of elements that reserve the space of a part until the part is rendered. */
const PLACEHOLDER = '[data-placeholder]';

/** The longest wait for the parts of a page, in milliseconds. */
const MAX_WAIT_MS = 10_000;

/**
 * Calls `onComplete` once the element is complete, or after the longest wait. Checks at each change
 * of the element. Returns the function that stops the checks.
 */
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

const currentPosition = (): ScrollPosition => ({
  y: window.scrollY,
  mainHeight: main()?.offsetHeight ?? 0,
});

/**
 * Scrolls to a page's stored position. The position may be below the present content, so the stored
 * height is reserved first. Returns the function that ends the reservation.
 */
function returnTo({ y, mainHeight }: ScrollPosition): () => void {
  const mainPart = main();
  const isTooShort = mainPart !== null && mainPart.offsetHeight < mainHeight;
  if (isTooShort) {
    mainPart.style.minHeight = `${mainHeight}px`;
    // Content that arrives above must not move the position.
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

/**
 * Scrolls to the top. Then scrolls to the element of a hash once it exists, unless the visitor has
 * scrolled meanwhile.
 */
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
 * Starts a new page at the element of its hash, or at its top. A page that keeps its scroll
 * position scrolls only to an element that already exists. A history entry that is visited again
 * returns to its stored position.
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
    // Newer browsers return a promise from a scroll. React would take the promise for the effect's
    // cleanup function, so the effect does not return it.
    if (typeof last?.y === 'number') return returnTo(last);
    if (target) target.scrollIntoView();
    else if (keepsScroll) return;
    else if (location.hash) return goTo(location.hash);
    else window.scrollTo(0, 0);
  }, [location]);

  return null;
}
