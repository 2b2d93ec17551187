import { type ComponentType, use } from 'react';
import { loadChunk } from '../navigation/reload';

interface Chunk<P> {
  default: ComponentType<P>;
}

/** What is known of a component whose code comes later. */
export interface Preloadable {
  /** Loads the code; ends when it is there. */
  fetch: () => Promise<unknown>;
  /** Whether it would be rendered at once. */
  isLoaded: () => boolean;
}

/** A promise as React knows it: what has arrived is there at once. */
type TrackedPromise<T> = Promise<T> & { status?: 'fulfilled'; value?: T };

/**
 * A component whose code is a chunk of its own. Until the chunk is there it suspends; after that it
 * is rendered at once, unlike one of `lazy`, which suspends the first time however early it is loaded.
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
