import { describe, expect, test } from 'vitest';
import { BY_PLAN, GADGET_STEPPER } from '../../testing/products/gadget';
import { COMPLETE, FORM, STEPPER, STEPS } from '../../testing/products/product';
import { evaluate } from '../conditions/visibility';
import {
  errorsOn,
  firstQuestion,
  genericStart,
  isSkipped,
  jumpTarget,
  stepOfPath,
  stepsOf,
  titleOf,
} from './steps';

const first = STEPS[0];
if (!first) throw new Error('The fixture has no steps');

describe('steps', () => {
  test('are the four of the default group, in order', () => {
    expect(stepsOf(STEPPER, {}).map((step) => [step.number, step.title])).toEqual([
      [1, 'Cover type'],
      [2, 'Your details'],
      [3, 'Options'],
      [4, 'Payment'],
    ]);
  });

  test('an answer may activate other steps', () => {
    const other = {
      steps: [{ number: 10, title: 'Other', icon: 'shield', datasets: [], skip: [] }],
    };
    const stepper = {
      ...STEPPER,
      activatedBy: {
        field: 'cover_type',
        values: { '1': { title: 'Personal', product_steps: { quote: other } } },
      },
    };
    expect(stepsOf(stepper, { cover_type: 1 }).map((step) => step.number)).toEqual([10]);
    expect(stepsOf(stepper, { cover_type: 2 })).toHaveLength(4);
  });

  test('have a title of their own where an answer brings them in', () => {
    expect(titleOf(BY_PLAN, {})).toBe('Gadget cover');
    expect(titleOf(BY_PLAN, { plan: 2 })).toBe('Gadget plus');
    expect(stepsOf(BY_PLAN, { plan: 1 }).map((step) => step.number)).toEqual([10, 20]);
    expect(stepsOf(BY_PLAN, { plan: 'constructor' })).toHaveLength(3);
  });

  test('are those of a context where the product has such a group', () => {
    const renewal = {
      steps: [{ number: 10, title: 'Renew', icon: 'key', datasets: [], skip: [] }],
    };
    const product_steps = { ...GADGET_STEPPER.product_steps, renewal };
    const stepper = { ...GADGET_STEPPER, product_steps };
    expect(stepsOf(stepper, {}, 'renewal').map((step) => step.title)).toEqual(['Renew']);
    expect(stepsOf(stepper, {}, 'toString')).toHaveLength(3);
    expect(stepsOf(GADGET_STEPPER, {}, 'renewal')).toHaveLength(3);
  });

  test('of a generic product start at ten', () => {
    expect(genericStart(stepsOf(GADGET_STEPPER, {}))?.number).toBe(10);
    expect(genericStart(STEPS)?.number).toBe(1);
    expect(genericStart([])).toBeUndefined();
  });

  test('every path belongs to the step that asks for it', () => {
    expect(stepOfPath('cover_level', STEPS, FORM)?.number).toBe(1);
    expect(stepOfPath('vehicles.2.vehicle_type', STEPS, FORM)?.number).toBe(2);
    expect(stepOfPath('number_of_vehicles', STEPS, FORM)?.number).toBe(2);
    expect(stepOfPath('nobody_asks', STEPS, FORM)).toBeUndefined();
  });

  test('the first leaves out dates, length and other drivers', () => {
    expect(isSkipped('start_date', first)).toBe(true);
    expect(isSkipped('persons.0.first_name', first)).toBe(true);
    expect(isSkipped('cover_level', first)).toBe(false);
  });

  test('errors are counted on their step', () => {
    const errors = { cover_level: ['a'], 'vehicles.0.vehicle_type': ['b'], first_name: ['c'] };
    expect(Object.keys(errorsOn(first, errors, FORM))).toEqual(['cover_level']);
  });

  test('a jump ends at the earliest step with errors', () => {
    const errors = { first_name: ['Enter your first name'], key_cover: ['x'] };
    expect(jumpTarget(STEPS, 4, errors, FORM)).toBe(2);
    expect(jumpTarget(STEPS, 2, errors, FORM)).toBe(2);
    expect(jumpTarget(STEPS, 1, errors, FORM)).toBe(1);
    expect(jumpTarget(STEPS, 4, {}, FORM)).toBe(4);
  });

  test('the first question is the first one on screen', () => {
    const state = evaluate(FORM, COMPLETE);
    expect(firstQuestion(first, FORM, state)).toEqual({ card: 'cover', path: 'cover_type' });
  });
});
