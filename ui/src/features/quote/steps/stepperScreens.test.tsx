import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { UUID } from '../../../testing/data';
import { serve, show } from '../../../testing/server';
import { ROUTES, reading } from '../saved/editTesting';
import { NewQuote } from '../start/NewQuote';
import type { StepperState } from './stepperState';

/** The values that replace values of the stepper's state. */
let instead: Partial<StepperState> = {};

vi.mock('./stepperState', async (original) => {
  const actual = await original<typeof import('./stepperState')>();
  const stepperState: typeof actual.stepperState = (options) => ({
    ...actual.stepperState(options),
    ...instead,
  });
  return { ...actual, stepperState };
});

const STEPPER = '/api/v2/openapi/product/breakdown/stepper';
const START = { '/': <NewQuote product="breakdown" /> };
const paying = () => show(ROUTES, `/quote/edit/${UUID}?step=4`);

afterEach(() => {
  instead = {};
  vi.unstubAllGlobals();
});

/** Each test replaces a value of the state and expects the new value on the screen. */
describe("the stepper's state on its screens", () => {
  test('its dates are those of the summary, and its start is said before paying', async () => {
    instead = { quoteStartDate: '2030-01-02', quoteEndDate: '2030-12-31' };
    serve(reading());
    paying();
    expect(await screen.findByText('02/01/2030 to 31/12/2030')).toBeTruthy();
    expect(screen.getByText(/Your cover starts on Wednesday 2 January 2030/)).toBeTruthy();
  });

  test('its price is what is to be paid', async () => {
    instead = { price: 999.5 };
    serve(reading());
    paying();
    const total = (await screen.findByText('To pay')).parentElement as HTMLElement;
    expect(within(total).getByText('£999.50')).toBeTruthy();
  });

  test('its days to wait are said where a quote begins', async () => {
    instead = { minBindDays: 4 };
    serve();
    show(START, '/');
    expect(await screen.findByText('Starts as early as 4 days from now')).toBeTruthy();
  });

  test('its cover level is marked in the comparison', async () => {
    instead = { coverLevel: 5 };
    serve();
    show(START, '/');
    const mark = await screen.findByText('Your choice');
    expect(mark.closest('th')?.textContent).toContain('European');
  });

  test('its steps, with the current one marked, are above the cards', async () => {
    const step = { number: 7, title: 'Seventh', icon: 'key', datasets: [], skip: [] };
    instead = { steps: [step], currentStep: 7 };
    serve(reading());
    paying();
    const button = await screen.findByRole('button', { name: 'Step 1: Seventh' });
    expect(button.getAttribute('aria-current')).toBe('step');
  });

  test('steps that are not to be shown are not', async () => {
    instead = { show: false };
    serve(reading());
    paying();
    await screen.findByText('To pay');
    expect(screen.queryByRole('navigation', { name: 'Steps' })).toBeNull();
  });

  test('without any steps there is nothing to fill in', async () => {
    instead = { visible: false };
    const calls = serve(reading());
    paying();
    await waitFor(() => expect(calls.map(({ path }) => path)).toContain(STEPPER));
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(screen.queryByText('To pay')).toBeNull();
  });
});
