import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { COMPLETE, FORM, STEPS, TODAY } from '../../testing/products/product';
import { evaluate } from '../conditions/visibility';
import type { Answers } from '../types';
import { check, faultyPaths } from './validate';

function faults(answers: Answers, step?: number) {
  return check(
    FORM,
    evaluate(FORM, answers),
    STEPS.find((each) => each.number === step),
  );
}

const withValues = (values: Answers['values']): Answers => ({
  ...COMPLETE,
  values: { ...COMPLETE.values, ...values },
});

describe('the check in the browser', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: TODAY });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('finds no error in valid answers', () => {
    for (const step of [1, 2, 3]) expect(faults(COMPLETE, step)).toEqual({});
  });

  test('finds a mobile that is a digit short', () => {
    expect(faults(withValues({ gsm_primary: '07400 12345' }), 2)).toEqual({
      gsm_primary: ['Enter a telephone number with all its digits, such as 07400 123456'],
    });
  });

  test('finds missing answers of the step only', () => {
    expect(Object.keys(faults({ values: {}, multi: {} }, 1))).toEqual([
      'cover_type',
      'cover_level',
      'excess',
    ]);
    expect(Object.keys(faults(withValues({ cover_level: 5 }), 1))).toEqual([]);
  });

  test('a declaration must be ticked', () => {
    expect(faults(COMPLETE, 4)).toHaveProperty('terms_and_conditions');
    expect(faults(withValues({ terms_and_conditions: true }), 4)).toEqual({});
  });

  test('step one skips the start date, the whole form checks it', () => {
    const early = withValues({ start_date: '21.11.2026' });
    expect(faults(early, 1)).toEqual({});
    expect(faults(early).start_date).toEqual(['Enter a date from 22/11/2026 on']);
  });

  test.each([
    [{ date_of_birth: '31.02.1980' }, 'date_of_birth'],
    [{ date_of_birth: '22.11.2009' }, 'date_of_birth'],
    [{ email_primary: 'ann@' }, 'email_primary'],
    [{ address_primary: '1 A' }, 'address_primary'],
    [{ first_name: 'A'.repeat(51) }, 'first_name'],
    [{ first_name: '   ' }, 'first_name'],
    [{ first_name: '👩\u200d🚒' }, 'first_name'],
  ])('%o is pointed out', (values, path) => {
    expect(Object.keys(faults(withValues(values), 2))).toEqual([path]);
  });

  test.each(["O'Brien", 'Zoë', '李小龍', 'مريم', '🚒'])('%s is a name', (first_name) => {
    expect(faults(withValues({ first_name }), 2)).toEqual({});
  });

  test('a trip ends on or after its first day', () => {
    const answers: Answers = {
      values: { ...COMPLETE.values, cover_level: 5, cover_length: 2 },
      multi: {
        ...COMPLETE.multi,
        trips: [
          {
            trip_destination: 'FR',
            trip_start_date: '01.12.2026',
            trip_end_date: '30.11.2026',
          },
        ],
      },
    };
    expect(faults(answers, 2)).toEqual({
      'trips.0.trip_end_date': ['Enter a date from 01/12/2026 on'],
    });
  });

  test('half a date stays in the field and is left out of a price request', () => {
    const answers: Answers = {
      ...COMPLETE,
      multi: { vehicles: [{ vehicle_type: 1, vehicle_registration_date: '1/3' }] },
    };
    expect([...faultyPaths(FORM, evaluate(FORM, answers))]).toEqual([
      'vehicles.0.vehicle_registration_date',
    ]);
  });
});
