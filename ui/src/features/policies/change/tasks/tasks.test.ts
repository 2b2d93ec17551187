import { expect, test } from 'vitest';
import { evaluate } from '../../../../form/conditions/visibility';
import type { Form, Values } from '../../../../form/types';
import { may, read, term } from '../../../../testing/policy';
import { COMPLETE, FORM } from '../../../../testing/products/product';
import { fieldsForTask, policyTasks, tasksOf } from './tasks';

const labels = (form: Form, values: Values = {}, vehicles = 1) => {
  const answers = {
    values: { ...COMPLETE.values, ...values },
    multi: {
      ...COMPLETE.multi,
      vehicles: Array.from({ length: vehicles }, () => COMPLETE.multi.vehicles?.[0] ?? {}),
    },
  };
  return tasksOf(form, evaluate(form, answers)).map(({ label }) => label);
};

test('tasks follow from what repeats, what an address is, and what is compared', () => {
  expect(labels(FORM)).toEqual(['Add a vehicle', 'Swap a vehicle', 'Move house', 'Change level']);
  expect(labels(FORM, {}, 10)).toEqual(['Swap a vehicle', 'Move house', 'Change level']);
  expect(labels(FORM, { cover_type: 1 })).toEqual(['Add a person', 'Move house', 'Change level']);
});

test('nothing that is locked is a task', () => {
  const locked = {
    ...FORM,
    datasets: FORM.datasets.map((dataset) => ({
      ...dataset,
      fields: dataset.fields.map((field) => ({ ...field, locked: true })),
    })),
  };
  expect(labels(locked)).toEqual([]);
});

test('a policy that may not be changed has none', () => {
  expect(policyTasks(FORM, read(), term({ can: may() }))).toEqual([]);
  expect(policyTasks(FORM, read(), term({ can: may({ change: true }) }))).toHaveLength(4);
});

test('each shows what it needs and nothing else', () => {
  const tasks = policyTasks(FORM, read(), term());
  const shown = (id: string) =>
    fieldsForTask(
      FORM,
      tasks.find((task) => task.id === id),
    ).map(({ identifier, fields }) => [identifier, fields.map(({ name }) => name)]);
  expect(shown('move')).toEqual([['policyholder', ['postcode_primary', 'address_primary']]]);
  expect(shown('level')).toEqual([
    ['cover', ['cover_level', 'cover_length']],
    ['trips', ['trip_destination', 'trip_start_date', 'trip_end_date']],
  ]);
  expect(shown('add-vehicles').map(([name]) => name)).toEqual(['vehicles']);
  expect(fieldsForTask(FORM, undefined)).toBe(FORM.datasets);
});
