import { type ComponentType, use } from 'react';
import { loadChunk } from '../navigation/reload';

interface Chunk<P> {
  default: ComponentType<P>;
}

/** A component in a chunk of its own. */
export interface Preloadable {
  /** Loads the code. Resolves when the code is loaded. */
  fetch: () => Promise<unknown>;
  /** Whether the component renders immediately. */
  isLoaded: () => boolean;
}

/** A promise with React's status, so that React renders a resolved promise immediately. */
type TrackedPromise<T> = Promise<T> & { status?: 'fulfilled'; value?: T };

/**
 * Creates a component in a chunk of its own. The component suspends until the chunk is loaded, and
 * never afterwards. `lazy` suspends at the first render even after a preload.
 */
export function lazyWithPreload<P extends object>(load: () => Promise<Chunk<P>>) {
  let promise: TrackedPromise<Chunk<P>> | null = null;
  const fetch = () => {
    if (promise) return promise;
    const loading: TrackedPromise<Chunk<P>> = loadChunk(load);
    loading.then(
      (chunk) => Object.assign(loading, { status: 'fulfilled', value: chunk }),
      () => {},
    );
    promise = loading;
    return loading;
  };
  function Shown(props: P) {
    const { default: Loaded } = use<Chunk<P>>(fetch() as Promise<Chunk<P>>);
    return <Loaded {...props} />;
  }
  const isLoaded = () => promise?.status === 'fulfilled';
  return Object.assign(Shown, { fetch, isLoaded } satisfies Preloadable);
}
