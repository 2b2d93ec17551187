import { ApiError, DEFAULT_MESSAGE, type FieldErrors } from './client';

function spell(seconds: number | null): string {
  if (!seconds || seconds < 0) return 'a moment';
  if (seconds < 60) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}

/** Returns a text that asks the visitor to wait. `seconds` is null if the server sent no time. */
export function waitText(seconds: number | null): string {
  return `Please wait ${spell(seconds)} and try again.`;
}

export function tooManyText(failure: ApiError): string {
  return `That was too many tries. ${waitText(failure.retryAfter)}`;
}

export function reasonOf(failure: unknown): string {
  if (!(failure instanceof ApiError)) return DEFAULT_MESSAGE;
  return failure.status === 429 && failure.retryAfter ? tooManyText(failure) : failure.message;
}

export function errorsOf(failure: unknown): FieldErrors {
  return failure instanceof ApiError ? failure.errors : {};
}

export function statusOf(failure: unknown): number | null {
  return failure instanceof ApiError ? failure.status : null;
}

/**
 * Checks whether a retry may help. A retry may help after a failure of the server or the
 * connection. It may also help after a request to wait (429), or after an error that is no
 * `ApiError`.
 */
export function isPassing(failure: unknown): boolean {
  const status = statusOf(failure);
  return status === null || status === 0 || status === 429 || status >= 500;
}
