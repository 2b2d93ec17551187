import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Server, sent } from '../../../api/testing';
import { writeDraft } from '../../../form/answers/draft';
import { formChecked } from '../../../testing/data';
import { COMPLETE } from '../../../testing/products/product';
import { serve, show } from '../../../testing/server';
import { NewQuote } from '../start/NewQuote';

const CHECK = 'POST /api/v1/form/{id}/check';
const REASON = "We can't cover a vehicle that old. Please call us on 0330 123 4567.";

/** The server refuses a vehicle that was first registered in 2009. */
const UNDERWRITING: Server = {
  [CHECK]: ({ body }) => {
    const [vehicle] = body.multi?.vehicles ?? [];
    const old = String(vehicle?.vehicle_registration_date).endsWith('2009');
    const path = 'vehicles.0.vehicle_registration_date';
    return {
      data: {
        ...formChecked({}),
        decisions: old ? [{ path, outcome: 'decline', reason: REASON }] : [],
      },
    };
  },
};

function begin(step: number) {
  const [vehicle] = COMPLETE.multi.vehicles;
  const vehicles = [{ ...vehicle, vehicle_registration_date: '01.03.2009' }];
  writeDraft('breakdown', { answers: { ...COMPLETE, multi: { vehicles } } });
  const calls = serve(UNDERWRITING);
  show({ '/': <NewQuote product="breakdown" /> }, `/?step=${step}`);
  return calls;
}

describe('what underwriting will refuse', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  test('is said at the answer that decides it, with a number to call, until the answer changes', async () => {
    const calls = begin(2);
    const card = () => within(screen.getByRole('region', { name: 'Vehicle 1' }));
    await waitFor(() => expect(card().getByText(/a vehicle that old/)).toBeTruthy());
    const phone = await card().findByRole('link', { name: '0330 123 4567' });
    expect(phone.getAttribute('href')).toBe('tel:03301234567');
    // The request has only the answers for price and underwriting, so it has no names.
    expect(Object.keys(sent(calls, CHECK).at(-1)?.body.values ?? {})).not.toContain('first_name');

    const date = card().getByRole('textbox', { name: 'Date of first registration' });
    await userEvent.clear(date);
    await userEvent.type(date, '01/03/2015');
    await waitFor(() => expect(card().queryByText(/a vehicle that old/)).toBeNull());
    expect(screen.queryByRole('alert', { name: 'There is a problem' })).toBeNull();
  });

  test('is said above the cards of another step, with a way to the answer', async () => {
    begin(3);
    const notice = await screen.findByText(/^Vehicle 1: We can't cover a vehicle that old/);
    expect(notice.textContent).toBe(`Vehicle 1: ${REASON}`);
    await userEvent.click(screen.getByRole('button', { name: 'Check this answer' }));
    await waitFor(() =>
      expect(document.activeElement?.id).toBe('answer-vehicles-0-vehicle_registration_date'),
    );
  });
});
