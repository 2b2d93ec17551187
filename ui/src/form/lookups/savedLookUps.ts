import { ApiError } from '../../api/client';
import type { SavedLookUp } from '../../api/types';
import { fieldAt, placeOf } from '../answers/answers';
import type { FormState } from '../conditions/visibility';
import type { Answers, Errors, Form } from '../types';
import { normalisePlate } from './vehicle/vehicle';

/** The look-ups that the visitor has answered, of the registrations that are sent. */
export function savedLookUps(form: Form, answers: Answers, state: FormState): SavedLookUp[] {
  return Object.entries(answers.lookups ?? {}).flatMap(([path, { plate, vehicle, answer }]) => {
    const { dataset, index = 0, field } = placeOf(path);
    const sent =
      dataset === undefined ? state.values[field] : state.multi[dataset]?.[index]?.[field];
    const isCurrent = fieldAt(form, path) !== undefined && normalisePlate(sent) === plate;
    return isCurrent && vehicle && answer ? [{ path, id: vehicle.lookup_id, answer }] : [];
  });
}

/** Whether a look-up was refused: the server doesn't know it any more. */
export function refusesLookUps(errors: Errors): boolean {
  return Object.keys(errors).some((path) => path.startsWith('lookups.'));
}

/**
 * Saves, and once more without the look-ups where the server doesn't know them any more: the answers
 * are the customer's own by then.
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
