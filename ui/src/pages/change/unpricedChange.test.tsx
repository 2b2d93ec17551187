import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { forId, refuse, sent } from '../../api/testing';
import { readSaveResult, storeSaveResult } from '../../features/policies/change/form/saveResult';
import { NOW } from '../../features/policies/startChoice';
import { formatLongDate } from '../../lib/dates/dates';
import { profileOf, UUID } from '../../testing/data';
import { adjustment, day, forgetAll, hold, read } from '../../testing/policy';
import { openChange } from './testing';

const KEEP = 'POST /api/v1/policy/{id}/price-keep';

let reload = vi.fn();
beforeEach(() => {
  reload = vi.fn();
  vi.spyOn(window.location, 'reload').mockImplementation(reload);
});
afterEach(forgetAll);

describe('a change that has no price', () => {
  async function changePhone(number: string) {
    openChange();
    await userEvent.click(await screen.findByRole('button', { name: 'Edit Details About you' }));
    const phone = screen.getByRole('textbox', { name: /^Another telephone/ });
    await userEvent.clear(phone);
    await userEvent.type(phone, number);
    await userEvent.click(screen.getByRole('button', { name: 'Confirm Details About you' }));
  }

  test('is saved by its section; the page begins anew and says so once', async () => {
    const calls = hold(() => read(), {
      [KEEP]: forId(UUID, () => ({ data: { success: 1, errors: {} } })),
    });
    await changePhone('020 7946 0000');
    await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
    expect(sent(calls, KEEP)[0]?.body).toEqual({
      product: {
        product_identifier: 'breakdown',
        values: { tel_primary: '020 7946 0000' },
        multi: {},
      },
    });
    await forgetAll();
    hold(() => read());
    openChange();
    await screen.findByText('Your details are saved.');
    await forgetAll();
    hold(() => read());
    openChange();
    await screen.findByRole('button', { name: 'Update my details' });
    expect(screen.queryByText('Your details are saved.')).toBeNull();
  });

  test('that fails keeps what was typed and its errors over the reload', async () => {
    const errors = { tel_primary: ['Enter a telephone number we can call'] };
    hold(() => read(), { [KEEP]: forId(UUID, () => ({ data: { success: 0, errors } })) });
    await changePhone('020 7946 001');
    await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
    await forgetAll();
    hold(() => read());
    openChange();
    const phone = await screen.findByRole<HTMLInputElement>('textbox', {
      name: /^Another telephone/,
    });
    expect(phone.value).toBe('020 7946 001');
    await screen.findByRole('alert', { name: 'There is a problem' });
    await waitFor(() => expect(document.activeElement?.id).toBe('error-summary'));
    expect(readSaveResult(UUID)).toBeNull();
  });

  test('that the server refused outright is told after the reload too', async () => {
    hold(() => read(), { [KEEP]: () => refuse(503, 'We are stopping.') });
    await changePhone('020 7946 0000');
    await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
    await forgetAll();
    hold(() => read());
    openChange();
    const alert = await screen.findByRole('alert', { name: 'Your details were not saved' });
    expect(within(alert).getByText('We are stopping.')).toBeTruthy();
    expect(screen.getByText('020 7946 0000')).toBeTruthy();
  });

  test('of a move is confirmed with the new address, its day and what follows', async () => {
    hold(() => read(), { [KEEP]: forId(UUID, () => ({ data: { success: 1, errors: {} } })) });
    openChange('?task=move');
    // The task begins with an empty postcode. The address of the policy is beside it.
    const postcode = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Postcode' });
    await waitFor(() => expect(document.activeElement).toBe(postcode));
    expect(postcode.value).toBe('');
    expect(screen.getByText(/^Your address now:/).textContent).toMatch(/SW1A 1AA$/);
    await userEvent.type(postcode, 'EH1 1YZ');
    await userEvent.click(screen.getByRole('button', { name: 'Type the address' }));
    await userEvent.type(await screen.findByRole('textbox', { name: 'Address' }), '2 Mill Lane');
    await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
    await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
    await forgetAll();
    const priced = adjustment({
      kind: 'keep',
      status: 'applied',
      amount_now: 0,
      changes: [
        {
          kind: 'answer',
          path: 'postcode_primary',
          label: 'Postcode',
          before: 'SW1A 1AA',
          after: 'EH1 1YZ',
        },
      ],
    });
    const older = adjustment({ adjustment_id: 'older', status: 'applied' });
    hold(() => read(), {
      'GET /api/v1/policy/{id}/mta': forId(UUID, () => ({ data: [priced, older] })),
    });
    openChange('?task=move');
    await screen.findByRole('heading', { name: 'Your change is made', level: 1 });
    await screen.findByText(
      `From ${formatLongDate(day(0))} your cover is as below. Your new documents are being made, and we send you an email when they are there.`,
    );
    expect(
      within(screen.getByRole('region', { name: 'What changed' })).getByText('EH1 1YZ'),
    ).toBeTruthy();
    expect(screen.getByRole('link', { name: 'View your policy' })).toBeTruthy();
    // On a phone the message would cover the heading.
    expect(screen.queryByText('Your details are saved.')).toBeNull();
  });

  test('of a move offers the new address to the account, once, and says why it failed', async () => {
    const moved = adjustment({
      kind: 'keep',
      status: 'applied',
      changes: [
        { kind: 'answer', path: 'postcode_primary', label: 'Postcode', before: 'A', after: 'B' },
      ],
    });
    const policy = read();
    const values = {
      ...policy.values,
      address_primary: '2 Mill Lane',
      postcode_primary: 'EH1 1YZ',
    };
    let isDown = true;
    const profile = { address_primary: '1 High Street', postcode_primary: 'SW1A 1AA' };
    const saved = {
      success: true,
      errors: {},
      message: null,
      changes: { values: {}, multi: {} },
      start: NOW,
    };
    const PROFILE = 'PUT /api/v1/profile';
    const start = (own: typeof profile) => {
      storeSaveResult(UUID, saved);
      const calls = hold(() => ({ ...policy, values }), {
        'GET /api/v1/policy/{id}/mta': forId(UUID, () => ({ data: [moved] })),
        'GET /api/v1/profile': () => profileOf(own),
        [PROFILE]: ({ body }) =>
          isDown ? refuse(503, 'We are stopping.') : profileOf({ ...own, ...body }),
      });
      openChange('?task=move');
      return calls;
    };
    const calls = start(profile);
    const offer = await screen.findByRole('button', { name: 'Use the new address there too' });
    expect(screen.getByText(/Your account has another address/).textContent).toMatch(
      /1 High Street, SW1A 1AA$/,
    );
    await userEvent.click(offer);
    await screen.findByText('We are stopping.');
    isDown = false;
    await userEvent.dblClick(offer);
    const done = await screen.findByText(/Your account has the new address now/);
    expect(done.textContent).toMatch(/2 Mill Lane, EH1 1YZ$/);
    expect(sent(calls, PROFILE).map(({ body }) => body)).toEqual([
      { address_primary: '2 Mill Lane', postcode_primary: 'EH1 1YZ' },
      { address_primary: '2 Mill Lane', postcode_primary: 'EH1 1YZ' },
    ]);
    expect(screen.queryByRole('button', { name: /new address there/ })).toBeNull();
    await forgetAll();
    start({ address_primary: '2 mill lane', postcode_primary: 'eh11yz' });
    await screen.findByRole('heading', { name: 'Your change is made' });
    expect(screen.queryByText(/The address of your account/)).toBeNull();
  });

  test('of a move to the address of the account is filled in', async () => {
    const calls = hold(() => read(), {
      'GET /api/v1/profile': () =>
        profileOf({ address_primary: '2 Mill Lane', postcode_primary: 'EH1 1YZ' }),
      [KEEP]: forId(UUID, () => ({ data: { success: 1, errors: {} } })),
    });
    openChange('?task=move&address=account');
    const postcode = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Postcode' });
    await waitFor(() => expect(postcode.value).toBe('EH1 1YZ'));
    await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
    await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
    expect(sent(calls, KEEP)[0]?.body.product.values).toEqual({
      address_primary: '2 Mill Lane',
      postcode_primary: 'EH1 1YZ',
    });
  });

  test('of a move to an address that could not be read begins empty', async () => {
    hold(() => read(), { 'GET /api/v1/profile': () => refuse(500, 'Broken') });
    openChange('?task=move&address=account');
    const postcode = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Postcode' });
    await waitFor(() => expect(document.activeElement).toBe(postcode));
    expect(postcode.value).toBe('');
  });

  test('of a move whose confirmation is not found says so all the same', async () => {
    storeSaveResult(UUID, {
      success: true,
      errors: {},
      message: null,
      changes: { values: {}, multi: {} },
      start: NOW,
    });
    hold(() => read(), { 'GET /api/v1/policy/{id}/mta': forId(UUID, () => ({ data: [] })) });
    openChange('?task=move');
    await screen.findByText('Your details are saved.');
  });

  test('is not saved where nothing is different', async () => {
    const calls = hold(() => read());
    openChange('?task=level');
    await userEvent.click(await screen.findByRole('button', { name: 'See the new price' }));
    await screen.findByText(/Nothing is different yet/);
    expect(sent(calls, KEEP)).toEqual([]);
    expect(reload).not.toHaveBeenCalled();
  });

  test('of a move without an address is not saved, and the whole form has the old address', async () => {
    const calls = hold(() => read());
    openChange('?task=move');
    await userEvent.click(await screen.findByRole('button', { name: 'Save Changes' }));
    const summary = await screen.findByRole('alert', { name: 'There is a problem' });
    expect(summary.textContent).toMatch(/postcode/i);
    expect(sent(calls, KEEP)).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Change anything else' }));
    const postcode = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Postcode' });
    expect(postcode.value).toBe('SW1A 1AA');
    expect(sent(calls, KEEP)).toEqual([]);
  });

  test.each([
    [1, false],
    [2, true],
    [3, false],
    [4, true],
    [5, true],
  ])(
    'of a move speaks of help at home only where the level has it: level %i',
    async (level, isShown) => {
      const policy = read();
      hold(() => ({ ...policy, values: { ...policy.values, cover_level: level } }));
      openChange('?task=move');
      const intro = await screen.findByText(/^Tell us your new address\./);
      expect(/home/.test(intro.textContent ?? '')).toBe(isShown);
    },
  );

  test('leaves what has a price for later', async () => {
    hold(() => read(), {
      [KEEP]: forId(UUID, () => ({ data: { success: 1, errors: {} } })),
    });
    openChange();
    await userEvent.click(
      await screen.findByRole('button', { name: 'Edit Details Make it yours' }),
    );
    await userEvent.click(screen.getByRole('checkbox', { name: 'Key cover' }));
    await userEvent.click(screen.getByRole('button', { name: 'Confirm Details Make it yours' }));
    expect(reload).not.toHaveBeenCalled();
    await userEvent.click(screen.getByRole('button', { name: 'Edit Details About you' }));
    await userEvent.type(screen.getByRole('textbox', { name: /Middle name/ }), 'Bea');
    await userEvent.click(screen.getByRole('button', { name: 'Confirm Details About you' }));
    await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
    expect(readSaveResult(UUID)).toMatchObject({
      success: true,
      changes: { values: { key_cover: true }, multi: {} },
    });
  });
});
