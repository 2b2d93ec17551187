import { useSyncExternalStore } from 'react';
import type { Signal } from './signal';

// Not in signal.ts: the rescue card reads signals too, and needs no React.

/** A signal's value, for a component, which is shown anew whenever it changes. */
export function useSignal<T>(signal: Signal<T>): T {
  return useSyncExternalStore(signal.subscribe, signal.get);
}
