import { type QuoteInfo, UNFINISHED } from '../../../api/types';
import { LAST_STEP } from '../../../lib/routes/paths';

/**
 * Where a quote that somebody comes back to opens: at its last step, or before it at the first one with
 * an answer missing. A renewal opens where it is compared with the year before.
 */
export function resumeStep({ flags, status_id }: QuoteInfo): string | undefined {
  const isReady = flags.buyable && !flags.renewal_quote && !flags.policy;
  return isReady || UNFINISHED.includes(status_id) ? LAST_STEP : undefined;
}
