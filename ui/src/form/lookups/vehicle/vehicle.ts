import { parseFormDate, toFormDate } from '../../../lib/dates/dates';
import { fieldAt, pathOf, placeOf, writeAnswer } from '../../answers/answers';
import { isMissing } from '../../conditions/conditions';
import type { Answers, Field, Form, KnownVehicle, Values, VehicleLookUp } from '../../types';

// The result of a registration's look-up, and the answers on the card of the registration.

/**
 * Returns a registration in upper case, without spaces and hyphens. Returns an empty text for a
 * value that is no text.
 */
export function normalisePlate(text: unknown): string {
  return typeof text === 'string' ? text.replace(/[\s-]/g, '').toLocaleUpperCase('en-GB') : '';
}

/**
 * Returns the answers from a vehicle, by field name. Details that the look-up does not know are
 * left out.
 */
export function valuesFromVehicle(field: Field, vehicle: KnownVehicle): Values {
  const month = /^(\d{4})-(\d{2})/.exec(vehicle.first_registered ?? '');
  const texts: Record<string, string | null | undefined> = {
    make: vehicle.make,
    model: vehicle.model,
    colour: vehicle.colour,
    fuel: vehicle.fuel,
    // A month is stored as its first day.
    first_registered: month
      ? toFormDate({ year: Number(month[1]), month: Number(month[2]), day: 1 })
      : null,
  };
  const values: Values = {};
  for (const [detail, name] of Object.entries(field.lookup?.fills ?? {})) {
    const value = texts[detail];
    if (name && value) values[name] = value;
  }
  return values;
}

/** Checks whether two dates of a form are in the same month. */
export function sameMonth(one: unknown, other: unknown): boolean {
  const [a, b] = [one, other].map((text) => parseFormDate(typeof text === 'string' ? text : ''));
  return Boolean(a && b && a.year === b.year && a.month === b.month);
}

/** Returns the names of the fields that the look-up of a registration may fill. */
export function filledFields(field: Field): string[] {
  if (field.kind !== 'vehicle_lookup') return [];
  return Object.values(field.lookup?.fills ?? {}).filter((name) => name !== undefined);
}

/** Returns the look-up at a path, or null if there is none for this registration. */
export function lookUpOf(answers: Answers, path: string, plate: unknown): VehicleLookUp | null {
  const lookUp = answers.lookups?.[path];
  return lookUp && lookUp.plate === normalisePlate(plate) ? lookUp : null;
}

/**
 * The phase of a vehicle's questions: `before` the look-up, `asking`, `question` about the vehicle,
 * `confirmed`, or `typed`.
 */
export type Phase = 'before' | 'asking' | 'question' | 'confirmed' | 'typed';

/**
 * Returns the phase by the answers, which do not tell whether a look-up is running. `empty` means
 * that no detail is answered.
 */
export function phaseOf(lookUp: VehicleLookUp | null, empty: boolean): Exclude<Phase, 'asking'> {
  if (lookUp?.vehicle && lookUp.answer === 'yes') return 'confirmed';
  if (lookUp?.vehicle && lookUp.answer === undefined) return 'question';
  return lookUp || !empty ? 'typed' : 'before';
}

/**
 * Returns the answers with the details of each vehicle that the visitor has neither confirmed nor
 * rejected. Fills only empty details. The price and the underwriting depend on these details.
 */
export function withFoundVehicles(form: Form, answers: Answers): Answers {
  return Object.entries(answers.lookups ?? {}).reduce((filled, [path, lookUp]) => {
    const field = fieldAt(form, path);
    const own = cardOf(filled, path);
    const { vehicle } = lookUp;
    if (!field || !vehicle || phaseOf(lookUpOf(filled, path, own[field.name]), true) !== 'question')
      return filled;
    return Object.entries(valuesFromVehicle(field, vehicle))
      .filter(([name]) => isMissing(own[name]) || own[name] === '')
      .reduce(
        (all, [name, value]) => writeAnswer(all, pathOf({ ...placeOf(path), field: name }), value),
        filled,
      );
  }, answers);
}

/** Returns the values of the instance at a path, or all top-level values. */
export function cardOf(answers: Answers, path: string): Values {
  const place = placeOf(path);
  if (place.dataset === undefined) return answers.values;
  return answers.multi[place.dataset]?.[place.index ?? 0] ?? {};
}

/** Checks whether none of the look-up's fields has an answer. */
export function allEmpty(field: Field, own: Values): boolean {
  return filledFields(field).every((name) => isMissing(own[name]) || own[name] === '');
}
