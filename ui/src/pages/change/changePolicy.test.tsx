import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { mutate } from 'swr';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { profileKey } from '../../api/hooks';
import type { Adjustment } from '../../api/policies/policyTypes';
import { type Call, forId, refuse, type Server, sent } from '../../api/testing';
import { ChangeScreen } from '../../features/policies/change/ChangeScreen';
import { readSaveResult } from '../../features/policies/change/form/saveResult';
import { PolicyScreen } from '../../features/policies/view/PolicyScreen';
import { askToLogin, loginRequest } from '../../shared/login/loginDialog';
import { UUID } from '../../testing/data';
import { ADJUSTMENT, adjustment, forgetAll, hold, may, read, term } from '../../testing/policy';
import { visit } from '../../testing/server';
import QuoteEdit from '../quote/QuoteEdit';
import { openChange } from './testing';

const LIST = 'GET /api/v1/policy/{id}/mta';
const CONFIRM = 'PUT /api/v1/policy/{id}/mta/confirm';
const INCREASE = 'PUT /api/v1/policy/{id}/mta/increase';
const DECREASE = 'PUT /api/v1/policy/{id}/mta/decrease';
const LOGIN = 'Unauthorised, please login before trying again.';
const MAKE = 'PUT /api/v1/policy/{id}/mta';

/** Starts a server that prices every change as `priced`, and stores the change. */
function pricing(priced: Adjustment, own: Server = {}): Call[] {
  let list: Adjustment[] = [];
  return hold(() => read(), {
    [CONFIRM]: forId(UUID, () => {
      list = [priced];
      return { data: priced };
    }),
    [INCREASE]: forId(UUID, () => ({
      data: {
        payment_id: 'p1',
        kind: 'iframe',
        url: '/frame',
        method: 'GET',
        fields: {},
        resumed: false,
        earlier_processing: false,
      },
    })),
    [DECREASE]: forId(UUID, () => ({
      data: { adjustment_id: ADJUSTMENT, refund: { amount: 9.61, lines: [], status: 'pending' } },
    })),
    [MAKE]: forId(UUID, () => {
      const applied = { ...priced, status: 'applied' as const };
      list = [applied];
      return { data: applied };
    }),
    [LIST]: forId(UUID, () => ({ data: list })),
    ...own,
  });
}

async function addKeyCover() {
  openChange();
  await userEvent.click(await screen.findByRole('button', { name: 'Update my details' }));
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Key cover' }));
}

test('a login that fails leaves what was changed in its place until the dialog is closed', async () => {
  hold(() => read());
  await addKeyCover();
  const changed = screen.getByRole('checkbox', { name: 'Key cover' });
  // The website reads the profile before the session ends.
  await act(() => mutate(profileKey(null)));
  act(() => void askToLogin());
  await act(() => mutate(profileKey(null), null, { revalidate: false }));
  expect(changed.isConnected).toBe(true);
  act(() => loginRequest.get()?.answer(false));
  await screen.findByRole('heading', { name: 'Log in to change your cover' });
});

test('questions that could not be loaded can be asked for again, on the same page', async () => {
  let failing = true;
  hold(() => read(), {
    'GET /api/v2/openapi/product/{id}': forId('breakdown', () =>
      failing ? refuse(404, 'No') : undefined,
    ),
  });
  visit({ '/': <ChangeScreen uuid={UUID} /> }, '/');
  await screen.findByText('The questions could not be loaded. Nothing you typed is lost.');
  expect(screen.queryByRole('heading')).toBeNull();
  failing = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('heading', { name: 'Change your cover' });
});

let reload = vi.fn();
beforeEach(() => {
  reload = vi.fn();
  vi.spyOn(window.location, 'reload').mockImplementation(reload);
});
afterEach(forgetAll);

describe('a change', () => {
  test('is there to be read first; what is settled is locked and says why', async () => {
    hold(() => read());
    openChange();
    await screen.findByRole('heading', { name: 'Change your cover' });
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(screen.queryByRole('checkbox', { name: /terms and conditions/ })).toBeNull();
    expect(screen.getByText('I live in the United Kingdom.')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Edit Details About you' }));
    expect(screen.getByRole('textbox', { name: 'First name' })).toBeTruthy();
    expect(screen.queryByRole('textbox', { name: /Email/ })).toBeNull();
    expect(screen.getByText('It is your account: you change it under My Account.')).toBeTruthy();
  });

  test('that costs more is agreed to and paid', async () => {
    const calls = pricing(adjustment());
    await addKeyCover();
    await userEvent.click(screen.getByRole('button', { name: 'See the new price' }));
    await screen.findByRole('heading', { name: 'Your new price' });
    for (const text of ['£74.48', '£92.30', '£12.89', '+£66.96', '−£54.07']) {
      expect(screen.getAllByText(text).length).toBeGreaterThan(0);
    }
    const body = sent(calls, CONFIRM)[0]?.body;
    expect(body).toMatchObject({
      product: { product_identifier: 'breakdown', values: { key_cover: true, first_name: 'Ann' } },
    });
    expect(body).not.toHaveProperty('effective_date');
    expect(JSON.stringify(body)).not.toContain('effective_date');
    await userEvent.click(screen.getByRole('button', { name: 'Accept and pay £12.89' }));
    await screen.findByText('Payment page');
    expect(sent(calls, INCREASE)[0]?.body).toEqual({ adjustment_id: ADJUSTMENT });
    expect(sent(calls, MAKE)).toEqual([]);
  });

  test('says what there is to point out before it is agreed to', async () => {
    const notice = 'AB12 CDE already has live cover here.';
    pricing({ ...adjustment(), notices: [notice] });
    await addKeyCover();
    await userEvent.click(screen.getByRole('button', { name: 'See the new price' }));
    await screen.findByRole('heading', { name: 'Your new price' });
    expect(screen.getAllByText(notice)).toHaveLength(1);
  });

  test('that costs less fixes the refund, then is made', async () => {
    // Only £9.00 of the payments can still be refunded, less than the price decrease of £9.61.
    const refund: Adjustment['refund'] = { amount: 9, lines: [], status: 'pending' };
    const decrease = adjustment({ kind: 'decrease', amount_now: -9.61, tax_now: -1.03, refund });
    const calls = pricing(decrease);
    await addKeyCover();
    await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
    await screen.findByRole('heading', { name: 'Your new price' });
    expect(screen.getAllByText('Comes back to the card that paid').length).toBeGreaterThan(0);
    await userEvent.click(screen.getByRole('button', { name: 'Accept' }));
    await screen.findByRole('heading', { name: 'Your change is made' });
    expect(screen.getByText('£9.00 is on its way back to the card that paid.')).toBeTruthy();
    const puts = calls.filter(({ method }) => method === 'PUT').map(({ path }) => path);
    const inOrder = [CONFIRM, DECREASE, MAKE] as const;
    expect(puts).toEqual(inOrder.map((route) => sent(calls, route)[0]?.path));
  });

  test('that costs the same is simply made', async () => {
    const calls = pricing(adjustment({ kind: 'keep', amount_now: 0, tax_now: 0, lines: [] }));
    await addKeyCover();
    await userEvent.click(screen.getByRole('button', { name: 'See the new price' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Accept' }));
    await screen.findByRole('heading', { name: 'Your change is made' });
    expect(sent(calls, DECREASE)).toEqual([]);
  });

  test('that is declined leaves the cover as it is and sends nothing', async () => {
    const calls = pricing(adjustment());
    await addKeyCover();
    await userEvent.click(screen.getByRole('button', { name: 'See the new price' }));
    await screen.findByRole('button', { name: 'Decline' });
    const before = calls.filter(({ method }) => method !== 'GET').length;
    await userEvent.click(screen.getByRole('button', { name: 'Decline' }));
    await screen.findByText('Policy page');
    expect(calls.filter(({ method }) => method !== 'GET')).toHaveLength(before);
  });

  test('waits on the policy until it is declined', async () => {
    hold(() => read(), { [LIST]: forId(UUID, () => ({ data: [adjustment()] })) });
    visit(
      {
        '/quote/edit/:id': <QuoteEdit />,
        '/policy/view/:id': <PolicyScreen uuid={UUID} />,
      },
      `/policy/view/${UUID}`,
    );
    await screen.findByRole('region', { name: 'A change is waiting for you' });
    await userEvent.click(screen.getByRole('link', { name: 'Go on with it' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Decline' }));
    await screen.findByRole('heading', { name: /^Policy ID/ });
    expect(screen.queryByRole('region', { name: 'A change is waiting for you' })).toBeNull();
  });

  test('goes back to what was typed', async () => {
    pricing(adjustment());
    await addKeyCover();
    await userEvent.click(screen.getByRole('button', { name: 'See the new price' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Change something else' }));
    const box = await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Key cover' });
    expect(box.checked).toBe(true);
  });

  test('without any difference sends nothing', async () => {
    const calls = pricing(adjustment());
    openChange();
    await userEvent.click(await screen.findByRole('button', { name: 'See the new price' }));
    await screen.findByText(/Nothing is different yet/);
    expect(sent(calls, CONFIRM)).toEqual([]);
  });

  test('leads from card to card by Continue, past no answer that is wrong, and saves nothing', async () => {
    const calls = pricing(adjustment());
    openChange();
    await userEvent.click(await screen.findByRole('button', { name: 'Edit Details About you' }));
    const card = within(screen.getByRole('region', { name: 'About you' }));
    const first = card.getByRole('textbox', { name: 'First name' });
    await userEvent.clear(first);
    await userEvent.click(card.getByRole('button', { name: 'Continue' }));
    await waitFor(() => expect(document.activeElement).toBe(first));
    await userEvent.type(first, 'Bea');
    await userEvent.click(card.getByRole('button', { name: 'Continue' }));
    const next = screen.getByRole('heading', { name: 'Your vehicles' });
    await waitFor(() => expect(document.activeElement).toBe(next));
    expect(card.getByRole('button', { name: 'Edit Details About you' })).toBeTruthy();
    // After the last card comes the button for the price.
    await userEvent.click(screen.getByRole('button', { name: 'Edit Details Make it yours' }));
    const last = within(screen.getByRole('region', { name: 'Make it yours' }));
    await userEvent.click(last.getByRole('button', { name: 'Continue' }));
    const price = screen.getByRole('button', { name: 'See the new price' });
    await waitFor(() => expect(document.activeElement).toBe(price));
    expect([
      ...sent(calls, 'POST /api/v1/policy/{id}/price-keep'),
      ...sent(calls, CONFIRM),
    ]).toEqual([]);
  });

  test('refused, what is wrong stands at its field and takes the focus', async () => {
    const errors = {
      'vehicles.0.vehicle_registration_date': ['We cover vehicles up to 15 years old.'],
    };
    pricing(adjustment(), { [CONFIRM]: () => refuse(422, 'No', { errors }) });
    await addKeyCover();
    await userEvent.click(screen.getByRole('button', { name: 'See the new price' }));
    const summary = await screen.findByRole('alert', { name: 'There is a problem' });
    expect(within(summary).getByText(/We cover vehicles up to 15 years old/)).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(summary));
    const field = document.getElementById('answer-vehicles-0-vehicle_registration_date');
    expect(field?.getAttribute('aria-invalid')).toBe('true');
  });

  test('of a policy that was changed elsewhere is reloaded with what was typed', async () => {
    pricing(adjustment(), {
      [CONFIRM]: () => refuse(409, 'This policy was changed meanwhile.'),
    });
    await addKeyCover();
    await userEvent.click(screen.getByRole('button', { name: 'See the new price' }));
    await screen.findByText('This policy was changed meanwhile.');
    await userEvent.click(screen.getByRole('button', { name: 'Reload' }));
    expect(reload).toHaveBeenCalledTimes(1);
    expect(readSaveResult(UUID)?.changes.values).toEqual({ key_cover: true });
  });

  test('goes on after the log-in where the last one ran out, at once', async () => {
    const loggedOut = { isLoggedOut: true };
    const calls = pricing(adjustment(), {
      [CONFIRM]: forId(UUID, () =>
        loggedOut.isLoggedOut ? refuse(401, LOGIN) : { data: adjustment() },
      ),
      [LIST]: forId(UUID, () => ({ data: loggedOut.isLoggedOut ? [] : [adjustment()] })),
      'POST /api/login': () => {
        loggedOut.isLoggedOut = false;
        return {};
      },
    });
    await addKeyCover();
    await userEvent.click(screen.getByRole('button', { name: 'See the new price' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Login' }));
    await userEvent.type(dialog.getByLabelText('Username'), 'ann@example.com');
    await userEvent.type(dialog.getByLabelText('Password'), 'secret{Enter}');
    await screen.findByRole('heading', { name: 'Your new price' });
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(sent(calls, CONFIRM).map(({ body }) => body.product.values?.key_cover)).toEqual([
      true,
      true,
    ]);
  });

  test('whose log-in is refused says so and loses nothing; a price that is read while typing asks for none', async () => {
    const typed = vi.fn(() => refuse(401, LOGIN));
    pricing(adjustment(), {
      [CONFIRM]: () => refuse(401, LOGIN),
      'POST /api/v1/policy/{id}/mta/price': typed,
    });
    await addKeyCover();
    await waitFor(() => expect(typed).toHaveBeenCalled());
    expect(loginRequest.get()).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'See the new price' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Login' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Close' }));
    const alert = await screen.findByRole('alert', { name: 'Your cover was not changed' });
    expect(within(alert).getByText(LOGIN)).toBeTruthy();
    expect(within(alert).getByRole('button', { name: 'Login' })).toBeTruthy();
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Key cover' }).checked).toBe(
      true,
    );
  });

  test.each([
    [429, 'Too many.', 'That was too many tries. Please wait 7 seconds and try again.'],
    [503, 'We are stopping.', 'We are stopping.'],
  ] as const)('with a %i says so and loses nothing', async (status, message, text) => {
    pricing(adjustment(), { [CONFIRM]: () => refuse(status, message, { retryAfter: 7 }) });
    await addKeyCover();
    await userEvent.click(screen.getByRole('button', { name: 'See the new price' }));
    const alert = await screen.findByRole('alert', { name: 'Your cover was not changed' });
    expect(within(alert).getByText(text)).toBeTruthy();
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Key cover' }).checked).toBe(
      true,
    );
  });

  test('that may not be made says why', async () => {
    const policy = term({ can: may(), why_not: { change: 'This policy was cancelled.' } });
    hold(() => read(policy, { status_id: 8, status_title: 'Cancelled' }));
    openChange();
    await screen.findByRole('heading', { name: "This policy can't be changed here" });
    expect(screen.getByText('This policy was cancelled.')).toBeTruthy();
  });
});

describe('a price asked for before', () => {
  const listed = (change: Partial<Adjustment>) =>
    hold(() => read(), { [LIST]: forId(UUID, () => ({ data: [adjustment(change)] })) });

  test('can be opened again', async () => {
    listed({});
    openChange(`?adjustment=${ADJUSTMENT}`);
    await screen.findByRole('button', { name: 'Accept and pay £12.89' });
  });

  test('that has run out is worked out again', async () => {
    listed({ status: 'expired' });
    openChange(`?adjustment=${ADJUSTMENT}`);
    await screen.findByRole('heading', { name: 'This price has run out' });
    expect(screen.queryByRole('button', { name: /Accept/ })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Work it out again' }));
    await screen.findByRole('heading', { name: 'Change your cover' });
  });

  test('that another change superseded says so', async () => {
    listed({ status: 'superseded' });
    openChange(`?adjustment=${ADJUSTMENT}`);
    await screen.findByText(/Another change or a cancellation of this policy came first/);
  });

  test('that runs out while it is read is not agreed to', async () => {
    const list = [adjustment()];
    hold(() => read(), {
      [INCREASE]: forId(UUID, () => {
        list[0] = adjustment({ status: 'expired' });
        return refuse(409, 'This price has run out.');
      }),
      [LIST]: forId(UUID, () => ({ data: list })),
    });
    openChange(`?adjustment=${ADJUSTMENT}`);
    await userEvent.click(await screen.findByRole('button', { name: 'Accept and pay £12.89' }));
    await screen.findByRole('heading', { name: 'This price has run out' });
  });

  test('of another policy is not found', async () => {
    hold(() => read());
    openChange('?adjustment=0197f3c2-0000-7000-8000-000000000099');
    await screen.findByRole('heading', { name: "We couldn't find this change" });
  });
});
