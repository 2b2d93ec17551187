import { createSignal } from './signal';

/** One failure as the person on the telephone wants to hear it. */
export interface RecordedError {
  at: string;
  message: string;
  status?: number;
  path?: string;
  requestId?: string;
}

const LIMIT = 10;

/** Oldest first; never more than ten, the oldest is dropped. */
export const recentErrors = createSignal<readonly RecordedError[]>([]);

export function recordError(entry: Omit<RecordedError, 'at'>): void {
  const next = [...recentErrors.get(), { at: new Date().toISOString(), ...entry }];
  recentErrors.set(next.slice(-LIMIT));
}
