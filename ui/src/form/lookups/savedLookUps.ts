import { ApiError } from '../../api/client';
import type { SavedLookUp } from '../../api/types';
import { fieldAt, placeOf } from '../answers/answers';
import type { FormState } from '../conditions/visibility';
import type { Answers, Errors, Form } from '../types';
import { normalisePlate } from './vehicle/vehicle';

/**
 * Returns the look-ups that the visitor has confirmed or rejected, for the registrations in the
 * request.
 */
export function savedLookUps(form: Form, answers: Answers, state: FormState): SavedLookUp[] {
  return Object.entries(answers.lookups ?? {}).flatMap(([path, { plate, vehicle, answer }]) => {
    const { dataset, index = 0, field } = placeOf(path);
    const sent =
      dataset === undefined ? state.values[field] : state.multi[dataset]?.[index]?.[field];
    const isCurrent = fieldAt(form, path) !== undefined && normalisePlate(sent) === plate;
    return isCurrent && vehicle && answer ? [{ path, id: vehicle.lookup_id, answer }] : [];
  });
}

/**
 * Checks whether an error of the server is about a look-up in the request, such as an expired one.
 */
export function refusesLookUps(errors: Errors): boolean {
  return Object.keys(errors).some((path) => path.startsWith('lookups.'));
}

/**
 * Calls `save` with the look-ups. If the server refuses one of them, calls `save` without look-ups.
 * The answers then count as the customer's own.
 */
export async function savedWith<T>(
  lookups: SavedLookUp[],
  save: (lookups: SavedLookUp[]) => Promise<T>,
): Promise<T> {
  try {
    return await save(lookups);
  } catch (error) {
    const refused = error instanceof ApiError && refusesLookUps(error.errors);
    if (lookups.length === 0 || !refused) throw error;
    return save([]);
  }
}
