import { type QuoteInfo, UNFINISHED } from '../../../api/types';
import { LAST_STEP } from '../../../lib/routes/paths';

/**
 * Returns the step on which a returning customer starts: the last step. If an answer is missing,
 * the form goes back to the first step with a gap. Returns undefined for a renewal, which starts at
 * the comparison with the current cover.
 */
export function resumeStep({ flags, status_id }: QuoteInfo): string | undefined {
  const isReady = flags.buyable && !flags.renewal_quote && !flags.policy;
  return isReady || UNFINISHED.includes(status_id) ? LAST_STEP : undefined;
}
