import { MantineProvider } from '@mantine/core';
import { render, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { FieldStates } from '../conditions/visibility';
import { type FormApi, FormProvider } from '../state/FormContext';
import type { Field } from '../types';
import { FieldGrid } from './FieldGrid';

function field(name: string, group?: string): Field {
  return {
    name,
    label: name,
    kind: 'text',
    value: null,
    default: null,
    visible: true,
    display_only: false,
    locked: false,
    force_hidden: false,
    required: true,
    rateable: false,
    errors: [],
    options: [],
    validation: {},
    ...(group && { group }),
  };
}

/** Renders fields. The fields in `hiddenNames` are not visible. */
function show(fields: Field[], hiddenNames: string[] = []) {
  const states: FieldStates = Object.fromEntries(
    fields.map(({ name }) => [
      name,
      { visible: !hiddenNames.includes(name), required: true, options: [] },
    ]),
  );
  const api = {
    answers: { values: {}, multi: {} },
    errors: {},
    derived: {},
    decisions: {},
    change: vi.fn(),
    leave: vi.fn(),
  } as unknown as FormApi;
  render(
    <MantineProvider env="test">
      <FormProvider value={api}>
        <FieldGrid fields={fields} states={states} values={{}} />
      </FormProvider>
    </MantineProvider>,
  );
}

const FIELDS = [
  field('Name'),
  field('Mail', 'How we write'),
  field('Number'),
  field('Street', 'Where'),
];

const namesOf = (group: HTMLElement) =>
  within(group)
    .getAllByRole('textbox')
    .map((box) => box.getAttribute('name'));

test('a field that names a group begins it, and the order stays', () => {
  show(FIELDS);
  expect(namesOf(document.body)).toEqual(['Name', 'Mail', 'Number', 'Street']);
  expect(namesOf(screen.getByRole('group', { name: 'How we write' }))).toEqual(['Mail', 'Number']);
  expect(namesOf(screen.getByRole('group', { name: 'Where' }))).toEqual(['Street']);
});

test('a group stays while its first field is not asked, and goes with its last', () => {
  show(FIELDS, ['Mail', 'Street']);
  expect(namesOf(screen.getByRole('group', { name: 'How we write' }))).toEqual(['Number']);
  expect(screen.queryByRole('group', { name: 'Where' })).toBeNull();
});

test('without groups there is none', () => {
  show([field('Name'), field('Mail')]);
  expect(screen.queryByRole('group')).toBeNull();
});
