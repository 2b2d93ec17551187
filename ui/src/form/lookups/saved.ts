import type { SavedLookUp } from '../../api/types';
import { fieldAt, placeOf } from '../answers';
import type { Answers, Form } from '../types';
import type { FormState } from '../visibility';
import { barePlate } from './vehicle';

/** The look-ups that the visitor has answered, of the registrations that are sent. */
export function savedLookUps(form: Form, answers: Answers, state: FormState): SavedLookUp[] {
  return Object.entries(answers.lookups ?? {}).flatMap(([path, { of, vehicle, answer }]) => {
    const { dataset, index = 0, field } = placeOf(path);
    const sent =
      dataset === undefined ? state.values[field] : state.multi[dataset]?.[index]?.[field];
    const stands = fieldAt(form, path) !== undefined && barePlate(sent) === of;
    return stands && vehicle && answer ? [{ path, id: vehicle.lookup_id, answer }] : [];
  });
}
