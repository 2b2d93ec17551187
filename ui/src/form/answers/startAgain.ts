import type { Multi, Values } from '../../api/types';
import { paths } from '../../lib/routes/paths';
import { forgetLastQuote, writeDraft } from './draft';
import { answersFrom } from './serialize';

/** These agreements belong to one contract, so a new quote does not copy them. */
const AGREED = ['terms_and_conditions', 'marketing_contact'];

/**
 * Stores the answers of an ended quote or policy as the draft of a new quote. Returns the path of
 * the page where a quote starts.
 */
export function startAgain(product: string, ended: { values: Values; multi: Multi }): string {
  const copied = Object.entries(ended.values).filter(([name]) => !AGREED.includes(name));
  writeDraft(product, { answers: answersFrom(Object.fromEntries(copied), ended.multi) });
  forgetLastQuote(product);
  return paths.start(product);
}
