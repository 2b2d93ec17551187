import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { useNavigation } from '../../lib/navigation/navigation';
import { readStored, writeStored } from '../../lib/storage/storage';

const KEY = 'layby.scroll';

/** Where a page was left: how far down it was, and how high its main part. */
interface Place {
  y: number;
  room: number;
}

type Places = Record<string, Place | undefined>;

function readPlaces(): Places {
  const kept = readStored<Places>(KEY, 'session');
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

/** What keeps the room of parts that are not there yet. */
const PLACEHOLDER = '[data-placeholder]';

/** How long parts of a page are waited for, in milliseconds. */
const MAX_WAIT_MS = 10_000;

/** Asks at each change of a page until what is waited for is there, or for as long as anybody would wait. */
function onceComplete(part: HTMLElement, isComplete: () => boolean, then?: () => void): () => void {
  const observer = new MutationObserver(() => {
    if (isComplete()) end();
  });
  const stop = () => {
    clearTimeout(timer);
    observer.disconnect();
  };
  const end = () => {
    stop();
    then?.();
  };
  const timer = setTimeout(end, MAX_WAIT_MS);
  observer.observe(part, { childList: true, subtree: true });
  return stop;
}

const main = () => document.getElementById('main');

const here = (): Place => ({ y: window.scrollY, room: main()?.offsetHeight ?? 0 });

/** Goes to where a page was left, which may be below what is there of it yet: its room is kept till then. */
function returnTo({ y, room }: Place): () => void {
  const part = main();
  const lacks = part !== null && part.offsetHeight < room;
  if (lacks) {
    part.style.minHeight = `${room}px`;
    // What comes above must not take the place along.
    document.body.style.overflowAnchor = 'none';
  }
  window.scrollTo(0, y);
  if (!lacks) return () => {};
  const release = () => {
    part.style.minHeight = '';
    document.body.style.overflowAnchor = '';
  };
  const stop = onceComplete(
    part,
    () => {
      if (part.querySelector(PLACEHOLDER)) return false;
      const ends = [...part.children].map((child) => child.getBoundingClientRect().bottom);
      const inside = Math.max(0, ...ends) - part.getBoundingClientRect().top;
      const below = Number.parseFloat(getComputedStyle(part).paddingBottom) || 0;
      return Math.ceil(inside + below) >= Math.floor(room);
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
  return onceComplete(part, () => {
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
export function KeepScroll() {
  const location = useLocation();
  const { loading, keepsScroll, onLeave } = useNavigation();
  const places = useRef<Places>(null);
  places.current ??= readPlaces();
  const kept = places.current;

  useEffect(() => {
    window.history.scrollRestoration = 'manual';
    return () => {
      window.history.scrollRestoration = 'auto';
    };
  }, []);

  useEffect(
    () =>
      onLeave((from) => {
        kept[from.key] = here();
      }),
    [onLeave, kept],
  );

  useEffect(() => {
    const leave = () => {
      if (!loading) kept[location.key] = here();
      writeStored(KEY, kept, 'session');
      window.history.scrollRestoration = 'auto';
    };
    window.addEventListener('pagehide', leave);
    return () => window.removeEventListener('pagehide', leave);
  }, [loading, location, kept]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only another address scrolls
  useLayoutEffect(() => {
    const last = kept[location.key];
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
