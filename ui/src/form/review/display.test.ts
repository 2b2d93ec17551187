import { expect, test } from 'vitest';
import { datasetNamed } from '../../testing/products/product';
import { answerText, displayValue } from './display';

const fieldOf = (dataset: string, name: string) => {
  const field = datasetNamed(dataset).fields.find((each) => each.name === name);
  if (!field) throw new Error(`no field ${name}`);
  return field;
};

test('a registration and a postcode are shown as they are written, however they were typed', () => {
  const plate = fieldOf('vehicles', 'vehicle_registration');
  expect(answerText(plate, 'ab12cde')).toBe('AB12 CDE');
  expect(displayValue(plate, 'Y999ZZZ')).toBe('Y999 ZZZ');
  const postcode = fieldOf('policyholder', 'postcode_primary');
  expect(answerText(postcode, 'sw1a1aa')).toBe('SW1A 1AA');
});

test('only the answer to a question for a date is shown as one', () => {
  expect(answerText(fieldOf('policyholder', 'date_of_birth'), '03.04.1980')).toBe('03/04/1980');
  expect(answerText(fieldOf('policyholder', 'last_name'), '03.04.1980')).toBe('03.04.1980');
});
