import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Form } from '../../../api/types';
import { COMPLETE, FORM } from '../../../testing/products/product';
import { Answers } from './Answers';

const DATE = 'vehicle_registration_date';

const FOUND: Form = {
  ...FORM,
  datasets: FORM.datasets.map((dataset) => ({
    ...dataset,
    fields: dataset.fields.map((field) =>
      field.name === 'vehicle_registration'
        ? {
            ...field,
            kind: 'vehicle_lookup',
            lookup: { fills: { first_registered: DATE }, notes: {} },
          }
        : field,
    ),
  })),
};

const show = (form: Form, date: string) => {
  const vehicles = [{ ...COMPLETE.multi.vehicles?.[0], [DATE]: date }];
  const read = { values: COMPLETE.values, multi: { ...COMPLETE.multi, vehicles } };
  render(
    <MantineProvider env="test">
      <Answers form={form} read={read} />
    </MantineProvider>,
  );
};

test('a first registration whose day is not known is shown by its month', () => {
  show(FOUND, '01.03.2015');
  expect(screen.getByText('March 2015')).toBeTruthy();
  expect(screen.queryByText('01/03/2015')).toBeNull();
});

test('a day that is known, or that no look-up fills, is shown as it is', () => {
  show(FOUND, '17.03.2015');
  expect(screen.getByText('17/03/2015')).toBeTruthy();
  const plain: Form = {
    ...FORM,
    datasets: FOUND.datasets.map((dataset) => ({
      ...dataset,
      fields: dataset.fields.map((field) => ({ ...field, lookup: undefined })),
    })),
  };
  show(plain, '01.03.2015');
  expect(screen.getByText('01/03/2015')).toBeTruthy();
});
