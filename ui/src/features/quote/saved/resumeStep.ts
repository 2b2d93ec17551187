import { type QuoteInfo, UNFINISHED } from '../../../api/types';
import { LAST_STEP } from '../../../lib/routes/paths';

/**
 * The step on which a returning customer starts: the last, or the first with an answer missing. A
 * renewal starts at the comparison with the year before.
 */
export function resumeStep({ flags, status_id }: QuoteInfo): string | undefined {
  const isReady = flags.buyable && !flags.renewal_quote && !flags.policy;
  return isReady || UNFINISHED.includes(status_id) ? LAST_STEP : undefined;
}
