import { useRef } from 'react';
import { pathOf } from '../answers';
import { isMissing } from '../conditions';
import { useFormApi } from '../FormContext';
import type { Field } from '../types';
import { barePlate, cardOf, filledFields, foldedFields } from './vehicle';

/**
 * The fields of a card that have no place of their own: a look-up stands for them, or nobody is asked
 * for them who hasn't answered them elsewhere. What was shown stays while it is cleared to be typed anew.
 */
export function useHiddenFields(
  fields: Field[],
  place?: { dataset: string; index: number },
): Set<string> {
  const { answers, errors } = useFormApi();
  const shown = useRef(new Set<string>());
  // The details of one registration's vehicle are none of another's.
  const plates = useRef<Record<string, string>>({});
  for (const field of fields) {
    const names = filledFields(field);
    if (names.length === 0) continue;
    const plate = barePlate(cardOf(answers, pathOf({ ...place, field: field.name }))[field.name]);
    if (plates.current[field.name] !== plate) for (const name of names) shown.current.delete(name);
    plates.current[field.name] = plate;
  }
  const hidden = foldedFields(fields, answers, errors, { place, shown: shown.current });
  for (const field of fields) {
    const path = pathOf({ ...place, field: field.name });
    const unanswered = isMissing(cardOf(answers, path)[field.name]) && !errors[path];
    if (field.folded && unanswered && !shown.current.has(field.name)) hidden.add(field.name);
    // The address is asked beside the postcode by which it is found.
    const lines = field.kind === 'address_lookup' ? field.lookup?.fills.lines : undefined;
    if (lines) hidden.add(lines);
  }
  shown.current = new Set(fields.flatMap(({ name }) => (hidden.has(name) ? [] : [name])));
  return hidden;
}
