import { createSignal } from './signal';

/** A failure that the error page shows, so that a customer can read it out on the telephone. */
export interface RecordedError {
  at: string;
  message: string;
  status?: number;
  path?: string;
  requestId?: string;
}

const LIMIT = 10;

/** The last ten failures, oldest first. */
export const recentErrors = createSignal<readonly RecordedError[]>([]);

export function recordError(entry: Omit<RecordedError, 'at'>): void {
  const next = [...recentErrors.get(), { at: new Date().toISOString(), ...entry }];
  recentErrors.set(next.slice(-LIMIT));
}
