import type { QuoteInfo } from '../../api/types';
import { LAST_STEP } from './useStep';

/**
 * Where a quote that somebody comes back to opens: at its last step if nothing is left to answer.
 * A renewal opens where it is compared with the year before.
 */
export function opensAt({ flags }: QuoteInfo): string | undefined {
  return flags.buyable && !flags.renewal_quote && !flags.policy ? LAST_STEP : undefined;
}
