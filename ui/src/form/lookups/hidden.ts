import { pathOf } from '../answers';
import { isMissing } from '../conditions';
import type { Answers, Errors, Field } from '../types';
import { cardOf, foldedFields } from './vehicle';

/**
 * The fields of a card that have no place of their own: a look-up stands for them, or nobody is asked
 * for them who hasn't answered them elsewhere.
 */
export function hiddenFields(
  fields: Field[],
  answers: Answers,
  errors: Errors,
  place?: { dataset: string; index: number },
): Set<string> {
  const hidden = foldedFields(fields, answers, errors, place);
  for (const field of fields) {
    const path = pathOf({ ...place, field: field.name });
    const unanswered = isMissing(cardOf(answers, path)[field.name]) && !errors[path];
    if (field.folded && unanswered) hidden.add(field.name);
    // The address is asked beside the postcode by which it is found.
    const lines = field.kind === 'address_lookup' ? field.lookup?.fills.lines : undefined;
    if (lines) hidden.add(lines);
  }
  return hidden;
}
