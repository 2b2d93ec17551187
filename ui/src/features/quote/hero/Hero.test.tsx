import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { PRODUCT } from '../../../testing/products/product';
import { show } from '../../../ui/testing';
import { GENERIC_STEPPER, stepperState } from '../steps/stepperState';
import { Hero } from './Hero';

const stepper = stepperState({
  info: PRODUCT.info,
  title: '',
  steps: [],
  current: undefined,
  premium: null,
  dates: null,
  compared: undefined,
  values: {},
});

test('the smallest price says what it is for', () => {
  const info = { ...PRODUCT.info, price_from: 28.09, price_from_for: 'one car, local' };
  const { unmount } = show(<Hero info={info} stepper={stepper} />);
  expect(screen.getByText(/^From/).textContent).toBe('From £28.09 a year for one car, local');
  unmount();
  show(<Hero info={{ ...info, price_from_for: undefined }} stepper={stepper} />);
  expect(screen.getByText(/^From/).textContent).toBe('From £28.09 a year');
});

test('the smallest price is in the currency of the stepper', () => {
  const info = { ...PRODUCT.info, price_from: 28.09, price_from_for: undefined };
  show(<Hero info={info} stepper={GENERIC_STEPPER} />);
  expect(screen.getByText(/^From/).textContent).toBe('From $28.09 a year');
});

test('says how soon cover can start, by the days that the product waits', () => {
  for (const [minBindDays, text] of [
    [0, 'Starts as early as today'],
    [1, 'Starts as early as tomorrow'],
    [5, 'Starts as early as 5 days from now'],
  ] as const) {
    const { unmount } = show(<Hero info={PRODUCT.info} stepper={{ ...stepper, minBindDays }} />);
    expect(screen.getAllByRole('listitem').at(-1)?.textContent).toBe(text);
    unmount();
  }
});
