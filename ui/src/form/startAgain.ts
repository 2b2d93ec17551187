import type { Multi, Values } from '../api/types';
import { startPage } from '../lib/products';
import { forgetLastQuote, writeDraft } from './draft';
import { answersFrom } from './serialize';

/** What is ticked when a contract is agreed to is ticked for that one alone. */
const AGREED = ['terms_and_conditions', 'marketing_contact'];

/** Puts the answers of an ended quote or policy into a new quote, and says where that begins. */
export function startAgain(product: string, ended: { values: Values; multi: Multi }): string {
  const kept = Object.entries(ended.values).filter(([name]) => !AGREED.includes(name));
  writeDraft(product, { answers: answersFrom(Object.fromEntries(kept), ended.multi) });
  forgetLastQuote(product);
  return startPage(product);
}
