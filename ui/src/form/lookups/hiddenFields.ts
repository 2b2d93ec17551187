import { useRef } from 'react';
import { pathOf } from '../answers/answers';
import { isMissing } from '../conditions/conditions';
import { useFormApi } from '../state/FormContext';
import type { Answers, Errors, Field } from '../types';
import {
  allEmpty,
  cardOf,
  filledFields,
  lookUpOf,
  normalisePlate,
  phaseOf,
  sameMonth,
  valuesFromVehicle,
} from './vehicle/vehicle';

/**
 * Returns the fields to hide: fields that a look-up fills or may fill, and empty fields that the
 * product folds. Also hides the address field of a postcode with a search. A field stays visible when
 * the visitor clears it.
 */
export function useHiddenFields(
  fields: Field[],
  place?: { dataset: string; index: number },
): Set<string> {
  const { answers, errors } = useFormApi();
  const shown = useRef(new Set<string>());
  // Another registration has another vehicle's details, so the look-up's fields may be hidden
  // again.
  const plates = useRef<Record<string, string>>({});
  const phases = useRef<Phases>({});
  for (const field of fields) {
    const names = filledFields(field);
    if (names.length === 0) continue;
    const plate = normalisePlate(
      cardOf(answers, pathOf({ ...place, field: field.name }))[field.name],
    );
    if (plates.current[field.name] !== plate) for (const name of names) shown.current.delete(name);
    plates.current[field.name] = plate;
  }
  const last = { shown: shown.current, phases: phases.current };
  const { folded: hidden, phases: now } = foldedFields(fields, answers, errors, last, place);
  phases.current = now;
  for (const field of fields) {
    const path = pathOf({ ...place, field: field.name });
    const unanswered = isMissing(cardOf(answers, path)[field.name]) && !errors[path];
    if (field.folded && unanswered && !shown.current.has(field.name)) hidden.add(field.name);
    // The field of the postcode also shows the address.
    const lines = field.kind === 'address_lookup' ? field.lookup?.fills.lines : undefined;
    if (lines) hidden.add(lines);
  }
  shown.current = new Set(fields.flatMap(({ name }) => (hidden.has(name) ? [] : [name])));
  return hidden;
}

/** The phase of each field with a look-up, by the field's name. */
type Phases = Record<string, ReturnType<typeof phaseOf>>;

/**
 * Returns the fields of a card that a look-up has answered or may still answer, and the phases of
 * the look-ups. `last` has the shown fields and the phases of the last render. A field with an error
 * is not returned. A shown field is not returned if a registration is typed but not looked up yet,
 * or if the visitor has cleared the field since the look-up.
 */
function foldedFields(
  fields: Field[],
  answers: Answers,
  errors: Errors,
  last: { shown: ReadonlySet<string>; phases: Phases },
  place?: { dataset: string; index: number },
): { folded: Set<string>; phases: Phases } {
  const folded = new Set<string>();
  const phases: Phases = {};
  for (const field of fields) {
    const names = filledFields(field);
    if (names.length === 0) continue;
    const path = pathOf({ ...place, field: field.name });
    const own = cardOf(answers, path);
    const lookUp = lookUpOf(answers, path, own[field.name]);
    const phase = phaseOf(lookUp, allEmpty(field, own));
    phases[field.name] = phase;
    if (phase === 'typed') continue;
    const lookUpValues = lookUp?.vehicle ? valuesFromVehicle(field, lookUp.vehicle) : {};
    for (const name of names) {
      if (errors[pathOf({ ...place, field: name })]) continue;
      const value = own[name];
      const target = fields.find((each) => each.name === name);
      const matchesLookUp =
        name in lookUpValues &&
        (lookUpValues[name] === value || sameMonth(lookUpValues[name], value));
      const wasShown = last.shown.has(name);
      const isCleared = last.phases[field.name] === 'confirmed' && wasShown;
      const isNotNeeded =
        isMissing(value) && !(name in lookUpValues) && target?.required !== true && !isCleared;
      const staysShown = phase === 'before' && normalisePlate(own[field.name]) !== '' && wasShown;
      const isUnasked = isMissing(value) && !staysShown;
      if (phase === 'confirmed' ? matchesLookUp || isNotNeeded : isUnasked) folded.add(name);
    }
  }
  return { folded, phases };
}
