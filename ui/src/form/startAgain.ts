import type { Multi, Values } from '../api/types';
import { startPage } from '../lib/products';
import { forgetLastQuote, writeDraft } from './draft';
import { answersFrom } from './serialize';

/** Puts the answers of an ended quote or policy into a new quote, and says where that begins. */
export function startAgain(product: string, ended: { values: Values; multi: Multi }): string {
  writeDraft(product, { answers: answersFrom(ended.values, ended.multi) });
  forgetLastQuote(product);
  return startPage(product);
}
