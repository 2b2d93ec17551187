import { parseFormDate, toFormDate } from '../../../lib/dates/dates';
import { fieldAt, pathOf, placeOf, writeAnswer } from '../../answers/answers';
import { isMissing } from '../../conditions/conditions';
import type { Answers, Field, Form, KnownVehicle, Values, VehicleLookUp } from '../../types';

// What a registration's look-up has found, and which answers of the same card it gives.

/** A registration without what may stand between its parts. */
export function normalisePlate(text: unknown): string {
  return typeof text === 'string' ? text.replace(/[\s-]/g, '').toLocaleUpperCase('en-GB') : '';
}

/** The answers that a vehicle gives, by the names of the fields; only what is known of it. */
export function valuesFromVehicle(field: Field, vehicle: KnownVehicle): Values {
  const month = /^(\d{4})-(\d{2})/.exec(vehicle.first_registered ?? '');
  const texts: Record<string, string | null | undefined> = {
    make: vehicle.make,
    model: vehicle.model,
    colour: vehicle.colour,
    fuel: vehicle.fuel,
    // A month is kept as its first day.
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

/** Whether two dates of a form are in the same month. */
export function sameMonth(one: unknown, other: unknown): boolean {
  const [a, b] = [one, other].map((text) => parseFormDate(typeof text === 'string' ? text : ''));
  return Boolean(a && b && a.year === b.year && a.month === b.month);
}

/** The names of the fields that a registration's look-up may answer. */
export function filledFields(field: Field): string[] {
  if (field.kind !== 'vehicle_lookup') return [];
  return Object.values(field.lookup?.fills ?? {}).filter((name) => name !== undefined);
}

/** The look-up that belongs to the registration as it stands; that of another one doesn't count. */
export function lookUpOf(answers: Answers, path: string, plate: unknown): VehicleLookUp | null {
  const lookUp = answers.lookups?.[path];
  return lookUp && lookUp.plate === normalisePlate(plate) ? lookUp : null;
}

/**
 * Where the questions about a vehicle stand: its registration is still to be typed, is looked up, the
 * vehicle is shown and waits for an answer, it was recognised, or its details are typed.
 */
export type Phase = 'before' | 'asking' | 'question' | 'known' | 'typed';

/** The phase, as far as it follows from the answers. `empty`: none of the details is typed. */
export function phaseOf(lookUp: VehicleLookUp | null, empty: boolean): Exclude<Phase, 'asking'> {
  if (lookUp?.vehicle && lookUp.answer === 'yes') return 'known';
  if (lookUp?.vehicle && lookUp.answer === undefined) return 'question';
  return lookUp || !empty ? 'typed' : 'before';
}

/**
 * The answers, with the details of each vehicle that was found while nobody has said whether it is the right
 * one: its price and its refusal are known before that.
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

/** The values of the card that the field at a path stands on. */
export function cardOf(answers: Answers, path: string): Values {
  const place = placeOf(path);
  if (place.dataset === undefined) return answers.values;
  return answers.multi[place.dataset]?.[place.index ?? 0] ?? {};
}

/** Whether none of the fields that a look-up may answer has an answer. */
export function allEmpty(field: Field, own: Values): boolean {
  return filledFields(field).every((name) => isMissing(own[name]) || own[name] === '');
}
