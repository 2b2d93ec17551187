import { address } from './client';

/**
 * Returns the server's time in milliseconds, from the `Date` header of a response. Returns null if
 * the server does not respond within 5 seconds.
 */
export async function serverTime(): Promise<number | null> {
  try {
    const call = { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(5000) } as const;
    const answer = await fetch(address('/api/v1/site'), call);
    const time = Date.parse(answer.headers.get('Date') ?? '');
    return Number.isNaN(time) ? null : time;
  } catch {
    return null;
  }
}
