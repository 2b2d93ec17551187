import { describe, expect, test } from 'vitest';
import { stepsOf } from '../../../form/steps/steps';
import { GADGET, GADGET_STEPPER } from '../../../testing/products/gadget';
import type { Premium } from '../price/pricing';
import { GENERIC_STEPPER, stepperState } from './stepperState';

const premium: Premium = {
  amount: 48.16,
  currency: 'GBP',
  per: 'year',
  basis: 'term',
  lines: [],
  inception: '2026-11-22',
  expiry: '2027-11-21',
};

const steps = stepsOf(GADGET_STEPPER, {});
const empty = {
  title: '',
  steps: [],
  current: undefined,
  premium: null,
  dates: null,
  compared: undefined,
};

describe("the stepper's state", () => {
  test('starts generic: US dollars, English, no days to wait', () => {
    expect(GENERIC_STEPPER).toEqual({
      currencyFormat: { currency: 'USD', locale: 'en', format: '0,0.00' },
      visible: false,
      show: false,
      title: '',
      steps: [],
      currentStep: 0,
      quoteStartDate: null,
      quoteEndDate: null,
      minBindDays: 0,
      price: null,
      coverLevel: null,
    });
    expect(stepperState({ ...empty, info: { stepper: 'generic' }, values: {} })).toEqual(
      GENERIC_STEPPER,
    );
  });

  test('is the shop’s own where a product is on the form stepper and says nothing', () => {
    const state = stepperState({ ...empty, info: { stepper: 'form' }, values: {} });
    expect(state.currencyFormat).toEqual({ currency: 'GBP', locale: 'en-GB', format: '0,0.00' });
  });

  test('follows from the product and the quote', () => {
    const state = stepperState({
      info: GADGET.info,
      title: 'Gadget cover',
      steps,
      current: steps[1],
      premium,
      dates: { from: '2026-11-22', to: null },
      compared: 'plan',
      values: { plan: 2 },
    });
    expect(state).toEqual({
      currencyFormat: { currency: 'GBP', locale: 'en-GB', format: '0,0.00' },
      visible: true,
      show: true,
      title: 'Gadget cover',
      steps,
      currentStep: 20,
      quoteStartDate: '2026-11-22',
      quoteEndDate: null,
      minBindDays: 1,
      price: 48.16,
      coverLevel: 2,
    });
  });
});
