import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PolicyRead } from '../../api/policies/policyTypes';
import { forId, refuse, type Server, sent } from '../../api/testing';
import { readSaveResult } from '../../features/policies/change/form/saveResult';
import { FIESTA, VEHICLE } from '../../form/lookups/testing';
import { UUID } from '../../testing/data';
import { adjustment, forgetAll, hold, read } from '../../testing/policy';
import { openChange } from './testing';

const CONFIRM = 'PUT /api/v1/policy/{id}/mta/confirm';
const KEEP = 'POST /api/v1/policy/{id}/price-keep';
const FOUND = { ...FIESTA, registration: 'CD54 EFG', first_registered: '2015-03' };
const NAMED = {
  path: 'vehicles.0.vehicle_registration',
  id: FIESTA.lookup_id,
  answer: 'yes',
};

let reload = vi.fn();
beforeEach(() => {
  reload = vi.fn();
  vi.spyOn(window.location, 'reload').mockImplementation(reload);
});
afterEach(forgetAll);

const policy = () => read();

/** Returns a policy whose car is as old as the look-up's. */
function sameAge(): PolicyRead {
  const policy = read();
  const [first = {}] = policy.multi.vehicles ?? [];
  const vehicle = { ...first, vehicle_type: 1, vehicle_registration_date: '01.03.2015' };
  return { ...policy, multi: { ...policy.multi, vehicles: [vehicle] } };
}

/** Swaps the policy's car for a car that is looked up and confirmed. */
async function swap(policy: () => PolicyRead, own: Server) {
  const calls = hold(policy, { [VEHICLE]: () => ({ data: FOUND }), ...own });
  openChange('?task=swap-vehicles');
  const plate = await screen.findByLabelText<HTMLInputElement>(/Registration number/);
  await waitFor(() => expect(plate.value).toBe(''));
  await userEvent.type(plate, 'CD54 EFG{Enter}');
  await userEvent.click(await screen.findByRole('button', { name: 'Yes, it is' }));
  await userEvent.click(screen.getByRole('radio', { name: 'Car' }));
  return calls;
}

test('a change names what was looked up, and once more without what the server has forgotten', async () => {
  let forgotten = true;
  const calls = await swap(policy, {
    [CONFIRM]: forId(UUID, ({ body }) => {
      if (!body.lookups || !forgotten) return { data: adjustment() };
      forgotten = false;
      return refuse(422, 'No', {
        errors: { 'lookups.0': ["We don't have this look-up any more."] },
      });
    }),
  });
  await userEvent.click(screen.getByRole('button', { name: 'See the new price' }));
  await screen.findByRole('heading', { name: 'Your new price' });
  const bodies = sent(calls, CONFIRM).map(({ body }) => body);
  expect(bodies.map(({ lookups }) => lookups)).toEqual([[NAMED], undefined]);
  expect(bodies[0]?.product.multi?.vehicles).toMatchObject([{ vehicle_make: 'FORD' }]);
});

test('a change without a price names it too, and what is not saved keeps it over the reload', async () => {
  const errors = { first_name: ['Enter your first name'] };
  const calls = await swap(sameAge, {
    [KEEP]: forId(UUID, () => ({ data: { success: 0, errors } })),
  });
  await userEvent.click(screen.getByRole('button', { name: 'Change anything else' }));
  const save = () => userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
  await save();
  await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
  expect(sent(calls, KEEP).map(({ body }) => body.lookups)).toEqual([[NAMED]]);

  await forgetAll();
  const lookUpErrors = { 'lookups.0': ["We don't have this look-up any more."] };
  const retryCalls = hold(sameAge, {
    [KEEP]: forId(UUID, ({ body }) => ({
      data: body.lookups ? { success: 0, errors: lookUpErrors } : { success: 1, errors: {} },
    })),
  });
  openChange();
  await screen.findByRole('heading', { name: 'There is a problem' });
  await save();
  await waitFor(() => expect(reload).toHaveBeenCalledTimes(2));
  expect(sent(retryCalls, KEEP).map(({ body }) => body.lookups)).toEqual([[NAMED], undefined]);
  expect(readSaveResult(UUID)).toMatchObject({ success: true });
});
