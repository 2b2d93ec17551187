import { useSyncExternalStore } from 'react';
import type { Signal } from './signal';

// This hook is not in signal.ts, because the rescue card uses signals without React.

/** Returns the value of a signal. The component renders again when the value changes. */
export function useSignal<T>(signal: Signal<T>): T {
  return useSyncExternalStore(signal.subscribe, signal.get);
}
