import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { refuse, type Server } from '../../../api/testing';
import type { KnownVehicle, PlateAge } from '../../../form/types';
import { FIGURES, formChecked } from '../../../testing/data';
import { serve, show } from '../../../testing/server';
import { NewQuote } from '../start/NewQuote';

const REASON = "We can't cover a vehicle that old. Please call us on 0330 123 4567.";
const DATE = 'vehicles.0.vehicle_registration_date';
const FOR_NEW_CAR = /^Prices are for one new car/;
const INSTEAD = 'or cover yourself in any vehicle';

function vehicleOf(registration: string, first_registered: string): KnownVehicle {
  return {
    registration,
    make: 'FORD',
    model: 'FIESTA',
    colour: 'BLUE',
    fuel: 'PETROL',
    first_registered,
    mot: null,
    tax: null,
    source: 'dvsa',
    sample: false,
    lookup_id: '018f0000-0000-7000-8000-000000000001',
  };
}

/**
 * The server declines a vehicle first registered in 2009, if the cover type is 2. The look-up does
 * not find AA19 NFD.
 */
const UNDERWRITING: Server = {
  'POST /api/v1/lookup/vehicle': ({ body }) => {
    const plate = body.registration.replace(' ', '');
    if (plate === 'AA19NFD') return refuse(404, 'Not found');
    return { data: vehicleOf(plate, plate === 'AB09CDE' ? '2009-03' : '2019-03') };
  },
  'POST /api/v1/form/{id}/check': ({ body }) => {
    const date = String(body.multi?.vehicles?.[0]?.vehicle_registration_date);
    const isOld = body.values?.cover_type === 2 && date.endsWith('2009');
    const decisions = isOld ? [{ path: DATE, outcome: 'decline' as const, reason: REASON }] : [];
    return { data: { ...formChecked({}), decisions } };
  },
};

/** The half-year of the plate AA19 NFD. */
const AGE: PlateAge = {
  path: 'vehicles.0.vehicle_registration',
  fills: DATE,
  from: '2019-03-01',
  until: '2019-08-31',
  matters: false,
};

/** A price is £100 with a date of first registration, and £50 without a date. */
const PRICES: Server = {
  'POST /api/v1/price': ({ body }) => {
    const [vehicle] = body.product?.multi?.vehicles ?? [];
    const amount_total = vehicle?.vehicle_registration_date ? 100 : 50;
    return { data: { figures: { ...FIGURES, amount_total } } };
  },
};

async function type(plate: string, plates: PlateAge[] = []) {
  const check: Server = {
    'POST /api/v1/form/{id}/check': () => ({ data: { ...formChecked({}), plates } }),
  };
  serve(plates.length > 0 ? check : {}, UNDERWRITING, PRICES);
  show({ '/': <NewQuote product="breakdown" /> }, '/');
  await waitFor(() => expect(screen.queryAllByText('£50.00').length).toBeGreaterThan(0));
  await userEvent.type(screen.getByLabelText('Your registration number'), plate);
  await userEvent.click(screen.getByRole('button', { name: 'See my cover' }));
}

/** Returns the prices on the page, without the price in the headline. */
const prices = () =>
  screen
    .queryAllByText(/^£\d+\.\d\d$/)
    .flatMap(({ textContent }) => (textContent === '£28.09' ? [] : [textContent]));
const level = () => screen.getByRole('radio', { name: /^Local(?! and)/ });

beforeEach(() => {
  window.sessionStorage.clear();
  window.localStorage.clear();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('a plate on the first page', () => {
  test('whose vehicle is too old is refused there, without a price, and other cover is offered', async () => {
    await type('AB09CDE');
    await screen.findByText(/^We can't cover a vehicle that old/);
    expect(prices()).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Yes, it is' }));
    await screen.findByRole('region', { name: 'Your vehicle' });
    expect(screen.getAllByText(/We can't cover a vehicle that old/)).toHaveLength(1);
    expect(prices()).toEqual([]);
    expect(document.activeElement).not.toBe(level());

    const refusal = screen.getByText(/^We can't cover a vehicle that old/).closest('div');
    await userEvent.click(within(refusal as HTMLElement).getByRole('button', { name: INSTEAD }));
    await waitFor(() => expect(screen.queryByText(/^We can't cover/)).toBeNull());
    expect(screen.getByRole('radio', { name: /^Personal/ })).toHaveProperty('checked', true);
    await waitFor(() => expect(prices()).not.toEqual([]));
  });

  test('has the prices of its own vehicle before it is recognised, and none while it is looked up', async () => {
    await type('AB19CDE');
    await screen.findByRole('region', { name: 'Is this your vehicle?' });
    expect(prices()).not.toContain('£50.00/year');
    await waitFor(() => expect(prices()).toContain('£100.00/year'));
    expect(prices()).not.toContain('£50.00/year');
    expect(screen.queryByText(FOR_NEW_CAR)).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Yes, it is' }));
    await waitFor(() => expect(document.activeElement).toBe(level()));
  });

  test('that is not found is asked about as on its card, and has no price till then', async () => {
    await type('AA19NFD');
    await screen.findByText("We couldn't find AA19 NFD. Check it, or type the details below.");
    expect(prices()).toEqual([]);
    expect(screen.queryByText(FOR_NEW_CAR)).toBeNull();
    const date = await screen.findByRole('textbox', { name: 'Date of first registration' });
    await userEvent.type(date, '14/04/2009');
    await screen.findByText(/^We can't cover a vehicle that old/);
    expect(prices()).toEqual([]);
    await userEvent.clear(date);
    await userEvent.type(date, '14/04/2019');
    await waitFor(() => expect(prices()).toContain('£100.00/year'));
    expect(document.activeElement).toBe(date);
  });

  test('keeps the box for its date when the page is resized', async () => {
    const media = new EventTarget();
    let matches = true;
    vi.stubGlobal('matchMedia', () => Object.assign(media, { matches }));
    await type('AA19NFD', [AGE]);
    await userEvent.click(await screen.findByRole('button', { name: "No, I'll type the date" }));
    await screen.findByRole('textbox', { name: 'Date of first registration' });
    matches = false;
    act(() => void media.dispatchEvent(Object.assign(new Event('change'), { matches })));
    expect(await screen.findByRole('textbox', { name: 'Date of first registration' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: "No, I'll type the date" })).toBeNull();
  });
});
