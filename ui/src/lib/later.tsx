import { type ComponentType, use } from 'react';
import { loadChunk } from './reload';

interface Chunk<P> {
  default: ComponentType<P>;
}

/** A promise as React knows it: what has arrived is there at once. */
type Known<T> = Promise<T> & { status?: 'fulfilled'; value?: T };

/**
 * A component whose code is a chunk of its own. Until the chunk is there it suspends; after that it
 * is rendered at once, unlike one of `lazy`, which suspends the first time however early it is loaded.
 */
export function later<P extends object>(load: () => Promise<Chunk<P>>) {
  let asked: Known<Chunk<P>> | null = null;
  const fetch = () => {
    if (asked) return asked;
    const asking: Known<Chunk<P>> = loadChunk(load);
    asking.then(
      (chunk) => Object.assign(asking, { status: 'fulfilled', value: chunk }),
      () => {},
    );
    asked = asking;
    return asking;
  };
  function Later(props: P) {
    const { default: Found } = use<Chunk<P>>(fetch() as Promise<Chunk<P>>);
    return <Found {...props} />;
  }
  return Object.assign(Later, { fetch });
}
