import { ApiError, DEFAULT_MESSAGE, type FieldErrors } from './client';

function waiting(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}

/** What a failed call is told as. */
export function reasonOf(failure: unknown): string {
  if (!(failure instanceof ApiError)) return DEFAULT_MESSAGE;
  if (failure.status === 429 && failure.retryAfter) {
    return `${failure.message} Please wait ${waiting(failure.retryAfter)}.`;
  }
  return failure.message;
}

export function errorsOf(failure: unknown): FieldErrors {
  return failure instanceof ApiError ? failure.errors : {};
}

export function statusOf(failure: unknown): number | null {
  return failure instanceof ApiError ? failure.status : null;
}

/** The server or the line is at fault, or it asks to wait: what was sent may be right. */
export function isPassing(failure: unknown): boolean {
  const status = statusOf(failure);
  return status === null || status === 0 || status === 429 || status >= 500;
}
