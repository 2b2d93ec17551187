import { describe, expect, test } from 'vitest';
import { COMPLETE, datasetNamed, FORM, STEPS } from '../../testing/products/product';
import type { Values } from '../types';
import { type FilledForm, formReducer } from './formReducer';

const clean: FilledForm = {
  answers: COMPLETE,
  errors: {},
  blurErrors: {},
  refused: [],
  prefilled: null,
  changed: false,
};
const details = STEPS.filter((step) => step.number === 2);

describe('a filled form', () => {
  test('any change marks the quote as changed and takes the error away', () => {
    const faulty = { ...clean, errors: { first_name: ['x'], last_name: ['y'] } };
    const next = formReducer(faulty, { type: 'change', path: 'first_name', value: 'Bo' });
    expect(next.changed).toBe(true);
    expect(next.errors).toEqual({ last_name: ['y'] });
    expect(next.answers.values.first_name).toBe('Bo');
  });

  test('the same answer again is no change', () => {
    expect(formReducer(clean, { type: 'change', path: 'first_name', value: 'Ann' })).toBe(clean);
  });

  test('adding and removing are changes too', () => {
    const vehicles = datasetNamed('vehicles');
    const two = formReducer(clean, { type: 'add', dataset: vehicles, row: 'new' });
    expect(two.answers.multi.vehicles).toHaveLength(2);
    expect(two.changed).toBe(true);
    const one = formReducer(
      {
        ...two,
        errors: { 'vehicles.1.vehicle_type': ['x'] },
        refused: ['vehicles.0.vehicle_type', 'vehicles.1.vehicle_type'],
      },
      { type: 'remove', dataset: vehicles, index: 0 },
    );
    expect(one.answers.multi.vehicles).toEqual([{}]);
    expect(one.errors).toEqual({ 'vehicles.0.vehicle_type': ['x'] });
    expect(one.refused).toEqual(['vehicles.0.vehicle_type']);
  });

  test('a check replaces the errors of its step and no others', () => {
    const before = { ...clean, errors: { first_name: ['old'], cover_level: ['kept'] } };
    const after = formReducer(before, {
      type: 'checked',
      steps: details,
      errors: { last_name: ['new'] },
      form: FORM,
      seen: COMPLETE,
    });
    expect(after.errors).toEqual({ cover_level: ['kept'], last_name: ['new'] });
  });

  test('a late check gives no error for an answer that has changed since', () => {
    const now = formReducer(clean, { type: 'change', path: 'last_name', value: 'Jones' });
    const after = formReducer(now, {
      type: 'checked',
      steps: details,
      errors: { last_name: ['stale'], first_name: ['true still'] },
      form: FORM,
      seen: COMPLETE,
    });
    expect(after.errors).toEqual({ first_name: ['true still'] });
  });

  test('a late check of a vehicle finds it where it stands by then, or is of none', () => {
    const vehicles = datasetNamed('vehicles');
    const two = formReducer(clean, { type: 'add', dataset: vehicles, row: 'new' });
    const checked = (seen: FilledForm, now: FilledForm, path: string) =>
      formReducer(now, {
        type: 'checked',
        steps: STEPS,
        errors: { [path]: ['x'] },
        form: FORM,
        seen: seen.answers,
      }).errors;
    const remove = { type: 'remove', dataset: vehicles, index: 0 } as const;
    const one = formReducer(two, remove);
    expect(checked(two, one, 'vehicles.1.vehicle_type')).toEqual({
      'vehicles.0.vehicle_type': ['x'],
    });
    expect(checked(two, one, 'vehicles.0.vehicle_type')).toEqual({});
    // Clearing the only instance removes its errors.
    const blank = formReducer(one, { ...remove, row: 'blank' });
    expect(checked(one, blank, 'vehicles.0.vehicle_type')).toEqual({});
  });

  test('an error found on leaving a field is kept apart, and dropped if the answer has changed', () => {
    const action = { type: 'blurError', path: 'first_name', value: 'Ann', text: 'x' } as const;
    const cleared = formReducer(clean, action);
    expect(cleared).toMatchObject({ errors: {}, blurErrors: { first_name: ['x'] } });
    expect(formReducer(clean, { ...action, value: 'An' })).toBe(clean);
    const typed = formReducer(cleared, { type: 'change', path: 'first_name', value: 'Bo' });
    expect(typed.blurErrors).toEqual({});
  });

  test("answers from a person's profile go when the person does, typed ones stay", () => {
    const edited = { ...clean, answers: { values: { last_name: 'Jones' }, multi: {} } };
    const fill = (state: FilledForm, person: { user: string; answers: Values } | null) =>
      formReducer(state, { type: 'prefill', form: FORM, person });
    const answers = { first_name: 'Ann', last_name: 'Smith', email_primary: 'ann@example.com' };
    const ann = fill(edited, { user: 'ann', answers });
    expect(ann.answers.values).toEqual({ ...answers, last_name: 'Jones' });
    const typed = formReducer(ann, { type: 'change', path: 'first_name', value: 'Anna' });
    // The profile may be read again, with more answers.
    const refilled = fill(typed, {
      user: 'ann',
      answers: { ...answers, tel_primary: '0113 496 0000' },
    });
    expect(refilled.answers.values.tel_primary).toBe('0113 496 0000');
    const loggedOut = fill(refilled, null);
    expect(loggedOut.answers.values).toEqual({ first_name: 'Anna', last_name: 'Jones' });
    const bob = fill(refilled, { user: 'bob', answers: { email_primary: 'bob@example.com' } });
    expect(bob.answers.values).toEqual({
      ...loggedOut.answers.values,
      email_primary: 'bob@example.com',
    });
  });

  test('an answer that is typed during a save stays a change', () => {
    const typed = formReducer(clean, { type: 'change', path: 'first_name', value: 'Bo' });
    expect(formReducer(typed, { type: 'saved', seen: COMPLETE }).changed).toBe(true);
    expect(formReducer(typed, { type: 'saved', seen: typed.answers }).changed).toBe(false);
  });
});
