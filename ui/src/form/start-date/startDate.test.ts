import { describe, expect, test } from 'vitest';
import { COMPLETE, FORM } from '../../testing/products/product';
import { evaluate } from '../conditions/visibility';
import type { Answers } from '../types';
import {
  applyDefaults,
  dayOfForm,
  expiredDates,
  firstDay,
  pathsAtDefault,
  withoutDefaults,
} from './startDate';

const day = (number: number) => ({ year: 2026, month: 11, day: number });
const TODAY = day(21);
const from = (start_date: string): Answers => ({
  ...COMPLETE,
  values: { ...COMPLETE.values, start_date },
});
const trips = (...starts: string[]): Answers => ({
  values: { cover_type: 1, cover_level: 5, cover_length: 2, start_date: '01.01.2020' },
  multi: { trips: starts.map((trip_start_date) => ({ trip_start_date })) },
});

describe('a start of cover', () => {
  test('is passed once it can no longer be chosen, and the default of the day comes instead', () => {
    const expiredPaths = (answers: Answers) =>
      expiredDates(FORM, answers, evaluate(FORM, answers), TODAY);
    expect(expiredPaths(from('22.11.2026'))).toEqual([]);
    expect(expiredPaths(from('21.11.2026'))).toEqual([
      { path: 'start_date', day: day(21), earliest: day(22) },
    ]);
    // A trip has no default day. For trips the form does not ask for the start of a year's cover.
    expect(expiredPaths(trips('30.11.2026', '20.11.2026'))).toEqual([
      { path: 'trips.1.trip_start_date', day: day(20), earliest: null },
    ]);
    expect(expiredPaths(trips('', 'soon'))).toEqual([]);
  });

  test('was not chosen where it is the default of the day of the answers', () => {
    const open = (answers: Answers, asOf: number) =>
      pathsAtDefault(FORM, answers, evaluate(FORM, answers), day(asOf));
    expect(open(from('20.11.2026'), 19)).toEqual(['start_date']);
    expect(open(from('20.11.2026'), 18)).toEqual([]);
    expect(open(trips('20.11.2026'), 19)).toEqual([]);
  });

  test('that was not chosen follows the day, and is left to the server when it is sent', () => {
    const answers = from('20.11.2026');
    const updated = applyDefaults(FORM, answers, evaluate(FORM, answers), ['start_date'], TODAY);
    expect(updated.values.start_date).toBe('22.11.2026');
    expect(updated.multi).toBe(answers.multi);
    const sent = withoutDefaults({ ...answers, product_identifier: 'breakdown' }, ['start_date']);
    expect(sent.values).not.toHaveProperty('start_date');
    expect(sent.values.cover_type).toBe(2);
  });

  test('is the earliest of several', () => {
    const first = (answers: Answers) => firstDay(FORM, answers, evaluate(FORM, answers));
    expect(first(trips('30.11.2026', '25.11.2026'))).toEqual(day(25));
    expect(first(trips(''))).toBeNull();
  });

  test('says by its default on which day the server made the form', () => {
    expect(dayOfForm(FORM, day(30))).toEqual(day(21));
    expect(dayOfForm({ ...FORM, datasets: [] }, day(30))).toEqual(day(30));
  });
});
