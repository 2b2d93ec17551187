/** How long a browser stores answers and tokens, in milliseconds: 7 days. */
export const RETENTION_MS = 7 * 86_400_000;

/** Checks whether a value that was stored at `storedAt` is still within the retention. */
export function isFresh(storedAt: unknown, now: Date = new Date()): boolean {
  return typeof storedAt === 'string' && now.getTime() - Date.parse(storedAt) <= RETENTION_MS;
}
