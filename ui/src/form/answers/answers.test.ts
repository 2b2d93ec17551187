import { describe, expect, test } from 'vitest';
import { datasetNamed, FORM } from '../../testing/products/product';
import {
  addInstance,
  canAdd,
  initialAnswers,
  movedPath,
  placeOf,
  readAnswer,
  removeInstance,
  rowsOf,
  writeAnswer,
} from './answers';
import { prefill, restoreAnswers } from './restoreAnswers';

const vehicles = datasetNamed('vehicles');
const persons = datasetNamed('persons');

describe('answers', () => {
  test('start with the defaults and the required instances', () => {
    const answers = initialAnswers(FORM);
    expect(answers.values.excess).toBe(2);
    expect(answers.values.cover_level).toBeUndefined();
    expect(answers.multi.vehicles).toEqual([{}]);
    expect(answers.multi.persons).toEqual([]);
  });

  test('have a dotted path', () => {
    const two = addInstance(initialAnswers(FORM), vehicles, 'new');
    const written = writeAnswer(two, 'vehicles.1.vehicle_registration', 'AB12 CDE');
    expect(readAnswer(written, 'vehicles.1.vehicle_registration')).toBe('AB12 CDE');
    expect(readAnswer(written, 'vehicles.0.vehicle_registration')).toBeUndefined();
    expect(readAnswer(two, 'vehicles.1.vehicle_registration')).toBeUndefined();
    expect(placeOf('first_name')).toEqual({ field: 'first_name' });
  });

  test('one of several is removed, the only one is cleared', () => {
    let answers = addInstance(initialAnswers(FORM), vehicles, 'new');
    answers = writeAnswer(answers, 'vehicles.0.vehicle_registration', 'FIRST');
    answers = writeAnswer(answers, 'vehicles.1.vehicle_registration', 'SECOND');
    expect(rowsOf(answers, 'vehicles')).toEqual(['0', 'new']);
    const before = answers;
    answers = removeInstance(answers, vehicles, 0);
    expect(answers.multi.vehicles).toEqual([{ vehicle_registration: 'SECOND' }]);
    expect(rowsOf(answers, 'vehicles')).toEqual(['new']);
    expect(movedPath('vehicles.1.vehicle_type', before, answers)).toBe('vehicles.0.vehicle_type');
    expect(movedPath('vehicles.0.vehicle_type', before, answers)).toBeNull();
    expect(movedPath('first_name', before, answers)).toBe('first_name');
    answers = removeInstance(answers, vehicles, 0, 'blank');
    expect(answers.multi.vehicles).toEqual([{}]);
    expect(rowsOf(answers, 'vehicles')).toEqual(['blank']);
  });

  test('a dataset that needs no instance has none after its only one is removed', () => {
    const one = addInstance(initialAnswers(FORM), persons, 'new');
    expect(removeInstance(one, persons, 0).multi.persons).toEqual([]);
  });

  test('another can be added until the count is above nine', () => {
    expect(canAdd(vehicles, 9)).toBe(true);
    expect(canAdd(vehicles, 10)).toBe(false);
    expect(canAdd({ ...vehicles, max: 50 }, 10)).toBe(false);
    expect(canAdd({ ...vehicles, max: 3 }, 3)).toBe(false);
  });

  test('a profile fills only empty fields', () => {
    const typed = writeAnswer(initialAnswers(FORM), 'first_name', 'Anna');
    const filled = prefill(FORM, typed, { first_name: 'Ann', last_name: 'Smith', user_uuid: 'x' });
    expect(filled).toEqual({ last_name: 'Smith' });
  });

  test('stored answers get the defaults of new questions', () => {
    const stored = { values: { cover_type: 2, start_date: '01.02.2020' }, multi: {} };
    const answers = restoreAnswers(FORM, stored);
    expect(answers.values).toMatchObject({ cover_type: 2, excess: 2, start_date: '01.02.2020' });
    expect(answers.multi.vehicles).toEqual([{}]);
  });
});
