/** How long a browser stores answers and tokens, in milliseconds: 7 days. */
export const RETENTION_MS = 7 * 86_400_000;

/** Whether a value stored at this moment is still within the retention. */
export function isFresh(at: unknown, now: Date = new Date()): boolean {
  return typeof at === 'string' && now.getTime() - Date.parse(at) <= RETENTION_MS;
}
