import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { initialAnswers } from '../../../form/answers/answers';
import { evaluate } from '../../../form/conditions/visibility';
import { FORM, PRODUCT } from '../../../testing/products/product';
import { show } from '../../../ui/testing';
import { withAssumed } from '../price/pricing';
import { RegistrationForm } from './RegistrationForm';

const startField = PRODUCT.info.start_field;
if (!startField) throw new Error('the fixture has no way in');

function begin() {
  const answers = initialAnswers(FORM);
  const change = vi.fn();
  const onBegin = vi.fn();
  const api = {
    form: FORM,
    answers,
    state: evaluate(FORM, answers),
    errors: {},
    derived: {},
    decisions: {},
    change,
    setLookup: () => {},
    setHome: () => {},
    onBlur: () => {},
    add: vi.fn(),
    remove: () => {},
    clear: () => {},
  };
  if (startField) show(<RegistrationForm startField={startField} api={api} onBegin={onBegin} />);
  return { change, onBegin };
}

const plate = () => screen.getByLabelText('Your registration number');
const go = () => userEvent.click(screen.getByRole('button', { name: 'See my cover' }));

test('a plate in any style leads into the form, with the vehicle told', async () => {
  for (const [typed, message] of [
    ['ab12cde', 'AB12 CDE'],
    ['  l2 wps ', 'L2 WPS'],
    ['aiz 1234', 'AIZ 1234'],
  ] as const) {
    const { change, onBegin } = begin();
    await userEvent.type(plate(), typed);
    await go();
    expect(change.mock.calls).toEqual([
      ['vehicles.0.vehicle_registration', message],
      ['cover_type', 2],
    ]);
    expect(onBegin).toHaveBeenCalledTimes(1);
    document.body.innerHTML = '';
  }
});

test('what can be no plate is said at it, and leads nowhere', async () => {
  const { change, onBegin } = begin();
  await userEvent.type(plate(), '???');
  await go();
  expect(screen.getByRole('alert').textContent).not.toBe('');
  expect(plate().getAttribute('aria-invalid')).toBe('true');
  expect(document.activeElement).toBe(plate());
  expect(change).not.toHaveBeenCalled();
  expect(onBegin).not.toHaveBeenCalled();
  await userEvent.clear(plate());
  expect(screen.queryByRole('alert')).toBeNull();
});

test('who leaves the plate empty is asked for it later', async () => {
  const { change, onBegin } = begin();
  await go();
  expect(change.mock.calls).toEqual([['cover_type', 2]]);
  expect(onBegin).toHaveBeenCalledTimes(1);
});

test('the other way in covers the person', async () => {
  const { change, onBegin } = begin();
  const other = 'or cover yourself in any vehicle';
  await userEvent.click(screen.getByRole('button', { name: other }));
  expect(change.mock.calls).toEqual([['cover_type', 1]]);
  expect(onBegin).toHaveBeenCalledTimes(1);
});

test('prices assume the way in until something is answered', () => {
  const answers = initialAnswers(FORM);
  expect(withAssumed(PRODUCT.info, answers).values.cover_type).toBe(2);
  const personal = { ...answers, values: { ...answers.values, cover_type: 1 } };
  expect(withAssumed(PRODUCT.info, personal)).toBe(personal);
  expect(withAssumed({ ...PRODUCT.info, start_field: undefined }, answers)).toBe(answers);
});
