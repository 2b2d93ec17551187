import { describe, expect, test } from 'vitest';
import { COMPLETE, FORM, STEPS } from '../../testing/products/product';
import { evaluate } from '../conditions/visibility';
import type { Answers, Form } from '../types';
import { groupsOf } from './reviewGroups';

const QUESTION_STEPS = STEPS.slice(0, -1);

function groups(answers: Answers, form: Form = FORM) {
  return groupsOf(QUESTION_STEPS, form, evaluate(form, answers), {}).map((group) => ({
    ...group,
    lines: group.lines.map(({ items, separator }) =>
      items.map(({ answer }) => answer).join(separator),
    ),
    rest: group.rest.map(({ question, answer }) => `${question} ${answer}`),
  }));
}

const titled = (answers: Answers, title: string, form?: Form) =>
  groups(answers, form).find((group) => group.title === title);

describe('answers in groups', () => {
  test('a name, an address and contact details are a line each', () => {
    const aboutYou = titled(COMPLETE, 'About you');
    expect(aboutYou?.lines).toEqual([
      'Ms Ann Smith',
      '1 High Street, London, SW1A 1AA',
      'ann@example.com, 020 7946 0018',
    ]);
    expect(aboutYou?.rest).toEqual(['Date of birth 03/03/1980']);
  });

  test('each vehicle is one line, and what says nothing alone keeps its question', () => {
    const [vehicle] = COMPLETE.multi.vehicles;
    const second = { ...vehicle, vehicle_registration: 'XY34 ZZZ', vehicle_make: 'Ford' };
    const twoVehicles = { ...COMPLETE, multi: { vehicles: [vehicle ?? {}, second] } };
    expect(titled(twoVehicles, 'Vehicle 1')?.lines).toEqual(['Car, AB12 CDE']);
    expect(titled(twoVehicles, 'Vehicle 2')).toMatchObject({
      key: 'vehicles.1',
      step: 2,
      path: 'vehicles.1.vehicle_type',
      lines: ['Car, XY34 ZZZ'],
      rest: ['Date of first registration 01/03/2015', 'Make Ford'],
    });
  });

  test('choices are one group, with yes and no after their questions', () => {
    const cover = titled(COMPLETE, 'Cover type');
    expect(cover?.lines).toEqual(['Vehicle, National']);
    expect(cover?.rest).toContain('£30 excess No');
  });

  test('a missing required answer is named, and an optional one is left out', () => {
    const { first_name: _, ...values } = COMPLETE.values;
    const aboutYou = titled({ ...COMPLETE, values }, 'About you');
    expect(aboutYou?.lines[0]).toBe('Ms Smith');
    expect(aboutYou?.rest).toContain('First name ');
    expect(aboutYou?.rest.join()).not.toContain('Middle name');
  });

  test('the change begins at the first answer that may be changed', () => {
    const locked = (names: string[] | null): Form => ({
      ...FORM,
      datasets: FORM.datasets.map((dataset) => ({
        ...dataset,
        fields: dataset.fields.map((field) => ({
          ...field,
          locked: names === null || names.includes(field.name),
        })),
      })),
    });
    expect(titled(COMPLETE, 'About you', locked(['title']))?.path).toBe('first_name');
    expect(titled(COMPLETE, 'About you', locked(null))?.path).toBeUndefined();
  });
});
