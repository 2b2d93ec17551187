import { describe, expect, test } from 'vitest';
import { COMPLETE, datasetNamed, FORM } from '../../testing/products/product';
import { movedAll, removeInstance } from '../answers/answers';
import { evaluate } from '../conditions/visibility';
import { listErrors, visibleErrors } from './errors';

describe('errors', () => {
  test('are listed in the order of the form, the first text of each', () => {
    const errors = {
      whatever: ['From elsewhere'],
      'vehicles.0.vehicle_registration': ['Enter the registration number', 'Second'],
      first_name: ['Enter your first name'],
    };
    expect(listErrors(errors, FORM, COMPLETE)).toEqual([
      { path: 'first_name', text: 'Enter your first name', card: undefined },
      {
        path: 'vehicles.0.vehicle_registration',
        text: 'Enter the registration number',
        card: 'Vehicle 1',
      },
      { path: 'whatever', text: 'From elsewhere', card: undefined },
    ]);
  });

  test('of hidden fields are left out', () => {
    const errors = {
      cover_length: ['Hidden'],
      'persons.0.title': ['Hidden'],
      'vehicles.4.vehicle_type': ['No such vehicle'],
      first_name: ['Seen'],
      elsewhere: ['Kept'],
    };
    const shownErrors = visibleErrors(errors, FORM, evaluate(FORM, COMPLETE));
    expect(Object.keys(shownErrors)).toEqual(['first_name', 'elsewhere']);
  });

  test('move up with the cards behind a removed one', () => {
    const errors = {
      first_name: ['x'],
      'vehicles.0.vehicle_type': ['zero'],
      'vehicles.1.vehicle_type': ['one'],
      'vehicles.2.vehicle_type': ['two'],
    };
    const before = { values: {}, multi: { vehicles: [{}, {}, {}] } };
    const after = removeInstance(before, datasetNamed('vehicles'), 1);
    expect(movedAll(errors, before, after)).toEqual({
      first_name: ['x'],
      'vehicles.0.vehicle_type': ['zero'],
      'vehicles.1.vehicle_type': ['two'],
    });
  });
});
