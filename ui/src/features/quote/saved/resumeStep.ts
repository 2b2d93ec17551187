import { type QuoteInfo, UNFINISHED } from '../../../api/types';
import { LAST_STEP } from '../../../lib/routes/paths';

/**
 * Returns `LAST_STEP` for a quote that is for sale or unfinished. If an answer is missing, the form
 * then goes back to the step with the first missing answer. Returns undefined for a finished
 * renewal, which starts at the comparison, and for any other quote.
 */
export function resumeStep({ flags, status_id }: QuoteInfo): string | undefined {
  const isReady = flags.buyable && !flags.renewal_quote && !flags.policy;
  return isReady || UNFINISHED.includes(status_id) ? LAST_STEP : undefined;
}
