import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Renewal } from '../../../api/policies/policyTypes';
import { type Call, forId, refuse, type Server, sent } from '../../../api/testing';
import { readDraft, writeDraft } from '../../../form/answers/draft';
import { saveToken } from '../../../lib/storage/tokens';
import { FIGURES, UUID, updatedQuote } from '../../../testing/data';
import { COMPLETE } from '../../../testing/products/product';
import { serve, show } from '../../../testing/server';
import { PRICE_DEBOUNCE_MS } from '../price/usePrice';
import { NewQuote } from '../start/NewQuote';
import { PAY, quote, ROUTES, reading } from './editTesting';

const UPDATE = 'PUT /api/v1/quote/{id}';
const ACCEPT = 'POST /api/v1/quote/update-accept/{id}';

/** A server that saves and accepts the quote. */
const SAVING: Server = {
  [UPDATE]: forId(UUID, () => ({ data: updatedQuote(UUID) })),
  [ACCEPT]: forId(UUID, () => ({
    data: { uuid: UUID, amount_due: 48.16, revision_id: 2, plan: null },
  })),
};

describe('a saved quote', () => {
  beforeEach(() => {
    saveToken(UUID, 'secret');
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  test('is there to be read first, then to be changed and saved', async () => {
    const calls = serve(SAVING, reading());
    const user = userEvent.setup();
    show(ROUTES, `/quote/edit/${UUID}?step=2`);
    await screen.findByText('Loading your quote');
    await screen.findByText('Quote ID: BRK100000001');
    expect(screen.queryByText('Loading your quote')).toBeNull();
    expect(screen.queryByRole('textbox', { name: 'First name' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Edit Cover' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Edit Details About you' })).toBeTruthy();

    await user.click(screen.getByRole('button', { name: 'Update my details' }));
    const name = screen.getByRole('textbox', { name: 'First name' });
    await user.clear(name);
    await user.type(name, 'Bo');
    expect(readDraft(UUID)).toMatchObject({ revision: 1 });
    const save = screen.getByRole<HTMLButtonElement>('button', { name: 'Save Changes' });
    await user.click(save);
    expect([save.textContent, save.disabled]).toEqual(['Please wait...', false]);

    await screen.findByText('Quote updated successfully.');
    await waitFor(() => expect(document.activeElement).toBe(save));
    const [put] = sent(calls, UPDATE);
    expect(put?.body).toMatchObject({ revision_id: 1, product: { values: { first_name: 'Bo' } } });
    expect(put?.headers.get('Authorization')).toBe('Bearer secret');
    await waitFor(() => expect(readDraft(UUID)).toBeNull());
    await screen.findByRole('button', { name: 'Update my details' });
  });

  test('has the toggle at its last step too, where it opens the cards of the first', async () => {
    serve(SAVING, reading());
    const user = userEvent.setup();
    show(ROUTES, `/quote/edit/${UUID}?step=last`);
    await screen.findByRole('heading', { name: 'Payment', level: 1 });
    await user.click(screen.getByRole('button', { name: 'Update my details' }));
    await screen.findByRole('heading', { name: 'Cover type', level: 1 });
    expect(screen.getByRole('radio', { name: /^European/ })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: /Step 4/ }));
    await screen.findByRole('heading', { name: 'Payment', level: 1 });
    await user.click(screen.getByRole('button', { name: 'Save Changes' }));
    expect(screen.getByRole('button', { name: 'Update my details' })).toBeTruthy();
  });

  test('an extra keeps its price when it is ticked', async () => {
    serve(
      {
        'POST /api/v1/price': ({ body }) => {
          const extra = body.product.values?.key_cover === true ? 4 : 0;
          return { data: { figures: { ...FIGURES, amount_total: 48.16 + extra } } };
        },
      },
      reading(),
    );
    const user = userEvent.setup();
    show(ROUTES, `/quote/edit/${UUID}?step=3`);
    await user.click(await screen.findByRole('button', { name: 'Update my details' }));
    const extra = screen.getByRole('checkbox', { name: 'Key cover' });
    const price = () => within(extra.closest('label') as HTMLElement).queryByText(/per year/);
    await waitFor(() => expect(price()?.textContent).toBe('Adds £4.00 per year'));
    await user.click(extra);
    await screen.findByText('£52.16', undefined, { timeout: 5000 });
    // Waits longer than the pause before prices are read again.
    await new Promise((resolve) => setTimeout(resolve, PRICE_DEBOUNCE_MS + 500));
    expect(price()?.textContent).toBe('Adds £4.00 per year');
  });

  test('an update by nobody shows the login warning', async () => {
    serve({ [UPDATE]: () => refuse(401, 'Log in') }, reading());
    const user = userEvent.setup();
    show(ROUTES, `/quote/edit/${UUID}?step=3`);
    await user.click(await screen.findByRole('button', { name: 'Update my details' }));
    await user.click(screen.getByRole('checkbox', { name: 'Key cover' }));
    await user.click(screen.getByRole('button', { name: 'Save Changes' }));
    const warning = await screen.findByText(
      'You cannot update quote if you are not logged in. To log in please check your email or contact support.',
    );
    expect(readDraft(UUID)?.answers.values.key_cover).toBe(true);
    await user.click(
      screen
        .getAllByRole('button', { name: 'Close' })
        .find((button) => warning.closest('[role="alert"]')?.contains(button)) as HTMLElement,
    );
    await waitFor(() => expect(screen.queryByText(/You cannot update quote/)).toBeNull());
  });

  test('changed elsewhere, it can be loaded again, and what was typed does not come back', async () => {
    let elsewhere = false;
    serve(
      {
        [UPDATE]: () => {
          elsewhere = true;
          return refuse(409, 'Stale', { code: 'stale_revision' });
        },
      },
      reading(() => ({ revision: elsewhere ? 4 : 3 })),
    );
    const user = userEvent.setup();
    show(ROUTES, `/quote/edit/${UUID}?step=3`);
    await user.click(await screen.findByRole('button', { name: 'Update my details' }));
    await user.click(screen.getByRole('checkbox', { name: 'Key cover' }));
    await user.click(screen.getByRole('button', { name: 'Save Changes' }));
    await user.click(await screen.findByRole('button', { name: 'Reload' }));
    await screen.findByRole('button', { name: 'Update my details' });
    expect(readDraft(UUID)).toBeNull();
  });

  describe('that is read again with other answers', () => {
    async function readAgain() {
      let changed = false;
      serve(reading(() => (changed ? { revision: 2, values: { first_name: 'Bea' } } : {})));
      show(ROUTES, `/quote/edit/${UUID}?step=2`);
      await screen.findByText('Ann');
      return () => {
        changed = true;
        window.dispatchEvent(new Event('online'));
      };
    }

    test('shows the new answers with their price', async () => {
      const change = await readAgain();
      change();
      await screen.findByText('Bea');
      expect(screen.queryByText('Ann')).toBeNull();
    });

    test('keeps what is being changed here', async () => {
      const change = await readAgain();
      await userEvent.click(screen.getByRole('button', { name: 'Update my details' }));
      const name = screen.getByRole<HTMLInputElement>('textbox', { name: 'First name' });
      await userEvent.type(name, 'e');
      change();
      await act(() => new Promise((resolve) => setTimeout(resolve, 500)));
      expect(screen.getByRole('textbox', { name: 'First name' })).toBe(name);
      expect(name.value).toBe('Anne');
    });
  });

  test('buyable and unchanged, Pay accepts it and goes on; the terms come first', async () => {
    const calls = serve(SAVING, reading());
    const user = userEvent.setup();
    show(ROUTES, `/quote/edit/${UUID}?step=4`);
    await user.click(await screen.findByRole('button', { name: PAY }));
    await screen.findByRole('alert', { name: 'There is a problem' });
    expect(sent(calls, ACCEPT)).toEqual([]);

    await user.click(screen.getByRole('checkbox', { name: /terms and conditions/ }));
    await user.click(screen.getByRole('button', { name: PAY }));
    await screen.findByText('Payment page');
    const [accept] = sent(calls, ACCEPT);
    expect(accept?.body).toEqual({
      payment_frequency: 'annual',
      exclusions: {},
      terms_and_conditions: true,
      auto_renew: false,
      // The save of the ticked box made this revision.
      revision_id: 2,
    });
  });

  test('is summed up under its quote ID, which a quote nobody saved has not', async () => {
    serve(reading());
    show(ROUTES, `/quote/edit/${UUID}?step=2`);
    await screen.findByText('Quote ID: BRK100000001');
    const summary = within(screen.getByRole('region', { name: 'Cover summary' }));
    expect(summary.getByText('Quote ID: BRK100000001')).toBeTruthy();
    expect(summary.getByText('AB12 CDE')).toBeTruthy();
    cleanup();
    show({ '/': <NewQuote product="breakdown" /> }, '/');
    await screen.findByRole('region', { name: 'Cover summary' });
    expect(screen.queryByText(/ID: /)).toBeNull();
  });

  test('is shown and edited a section or a repeated card at a time', async () => {
    const vehicles = COMPLETE.multi.vehicles.flatMap((vehicle) => [
      vehicle,
      { ...vehicle, vehicle_registration: 'XY34 ZZZ' },
    ]);
    serve({
      'GET /api/v2/public/quote/read/{id}': () => ({ data: { ...quote(), multi: { vehicles } } }),
    });
    show(ROUTES, `/quote/edit/${UUID}?step=2`);
    const card = (name: string) => within(screen.getByRole('region', { name }));
    await userEvent.click(await screen.findByRole('button', { name: 'Edit Details Vehicle 2' }));
    expect(card('Vehicle 2').getByDisplayValue('XY34 ZZZ')).toBeTruthy();
    expect(card('Vehicle 1').queryByRole('textbox')).toBeNull();
    expect(card('Vehicle 1').getByText('AB12 CDE')).toBeTruthy();
    expect(card('About you').queryByRole('textbox')).toBeNull();

    await userEvent.click(screen.getByRole('button', { name: 'Edit Details About you' }));
    expect(card('About you').getByRole('textbox', { name: 'First name' })).toBeTruthy();
    expect(card('Vehicle 1').queryByRole('textbox')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Confirm Details Vehicle 2' }));
    expect(card('Vehicle 2').queryByRole('textbox')).toBeNull();
    expect(card('About you').getByRole('textbox', { name: 'First name' })).toBeTruthy();
  });

  describe('at its last step', () => {
    const buying = () => serve(SAVING, reading({ values: { terms_and_conditions: true } }));
    const savedProduct = (calls: Call[]) =>
      calls
        .filter((call) => sent([call], UPDATE).length + sent([call], ACCEPT).length > 0)
        .map(({ method }) => method);

    test('unchanged, it is not saved again before it is accepted', async () => {
      const calls = buying();
      show(ROUTES, `/quote/edit/${UUID}?step=4`);
      await userEvent.click(await screen.findByRole('button', { name: PAY }));
      await screen.findByText('Payment page');
      expect(savedProduct(calls)).toEqual(['POST']);
    });

    test('changed, it is saved first', async () => {
      const calls = buying();
      const values = { ...COMPLETE.values, terms_and_conditions: true, key_cover: true };
      writeDraft(UUID, { answers: { ...COMPLETE, values }, revision: 1 });
      show(ROUTES, `/quote/edit/${UUID}?step=4`);
      await userEvent.click(await screen.findByRole('button', { name: PAY }));
      await screen.findByText('Payment page');
      expect(savedProduct(calls)).toEqual(['PUT', 'POST']);
      expect(sent(calls, UPDATE)[0]?.body).toMatchObject({
        product: { values: { key_cover: true } },
      });
    });

    test('unchanged but not buyable yet, it is saved first', async () => {
      let stored = false;
      const values = { terms_and_conditions: true };
      const calls = serve(
        {
          [UPDATE]: forId(UUID, () => {
            stored = true;
            return { data: updatedQuote(UUID) };
          }),
        },
        SAVING,
        reading(() => (stored ? { revision: 2, values } : { status: 30, values })),
      );
      show(ROUTES, `/quote/edit/${UUID}?step=4`);
      await userEvent.click(await screen.findByRole('button', { name: PAY }));
      await screen.findByText('Payment page');
      expect(savedProduct(calls)).toEqual(['PUT', 'POST']);
    });
  });

  test('a step of the review can be changed where it was asked', async () => {
    serve(reading());
    const user = userEvent.setup();
    show(ROUTES, `/quote/edit/${UUID}?step=4`);
    await user.click(await screen.findByRole('button', { name: 'Change About you' }));
    await waitFor(() => expect(document.activeElement?.id).toBe('answer-title'));
    await waitFor(() => expect(window.location.search).toBe('?step=2'));
  });

  test('declined, it says why and lets a slip be corrected', async () => {
    serve(reading({ status: 31, reason: 'We cannot cover it. Call 0330 123 4567.' }));
    const user = userEvent.setup();
    show(ROUTES, `/quote/edit/${UUID}`);
    await screen.findByText('We cannot cover it. Call 0330 123 4567.');
    await user.click(screen.getByRole('button', { name: 'Check your answers' }));
    await screen.findByRole('button', { name: 'Save Changes' });
  });

  test('declined, it shows no way to pay until it is saved with other answers', async () => {
    let status: 1 | 31 = 31;
    serve(
      {
        [UPDATE]: forId(UUID, () => {
          status = 1;
          return { data: updatedQuote(UUID) };
        }),
      },
      reading(() => ({ status, reason: 'Too old.', revision: status === 1 ? 2 : 1 })),
    );
    const user = userEvent.setup();
    show(ROUTES, `/quote/edit/${UUID}?step=4`);
    await user.click(await screen.findByRole('button', { name: 'Check your answers' }));
    await screen.findByRole('heading', { name: 'Check your answers' });
    expect(screen.queryByRole('button', { name: PAY })).toBeNull();
    expect(screen.queryByText('To pay')).toBeNull();
    await user.click(screen.getByRole('checkbox', { name: /offers and news/ }));
    expect(screen.queryByRole('button', { name: PAY })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Save Changes' }));
    await screen.findByRole('button', { name: PAY });
    expect(screen.getByText('To pay')).toBeTruthy();
  });

  test('lapsed, a renewal can only be started again with the same answers', async () => {
    serve(reading({ status: 32, renewal: true }));
    const user = userEvent.setup();
    show(ROUTES, `/quote/edit/${UUID}`);
    await user.click(await screen.findByRole('button', { name: 'Start again' }));
    await screen.findByText('The quote start');
    expect(readDraft('breakdown')?.answers.values.first_name).toBe('Ann');
  });

  test('bought, it is changed as a policy is; of somebody else, it says what to do', async () => {
    serve(reading({ status: 5, policy: true }));
    show(ROUTES, `/quote/edit/${UUID}`);
    await screen.findByText('Policy form');
    serve();
    document.body.replaceChildren();
    show(ROUTES, `/quote/edit/${UUID}`);
    await screen.findByRole('heading', { name: "We can't open this quote here" });
  });
});

describe('a renewal quote', () => {
  const OFFER: Renewal = {
    policy_uuid: UUID,
    reference: 'BRK100000001',
    price_last_year: 44,
    price: 48.16,
    price_new_customer: 50,
    differences: [{ label: 'Our prices went up', amount: 4.16 }],
    starts: '2026-11-22',
    last_day: '2026-11-21',
    auto_renew: true,
    charge_on: '2026-11-21',
    next_year: 'by_itself',
    change_from: null,
    compare_text: 'You may find similar cover for less elsewhere.',
  };

  afterEach(() => {
    vi.unstubAllGlobals();
  });

  test('is compared with the current cover before it is read, and renewed from there', async () => {
    serve(
      { 'GET /api/v1/renewal/{id}': forId(UUID, () => ({ data: OFFER })) },
      reading({ renewal: true }),
    );
    show(ROUTES, `/quote/edit/${UUID}`);
    // The comparison is on the page from the start, so nothing moves later.
    await screen.findByRole('button', { name: 'Renew now' });
    expect(screen.getByText('£50.00')).toBeTruthy();
    expect(screen.getByText(/we charge £48.16 to the card that paid for it/)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Renew now' }));
    await screen.findByRole('button', { name: PAY });
    await waitFor(() => expect(window.location.search).toBe('?step=4'));
    expect(screen.queryByText('£50.00')).toBeNull();
  });

  test('can be opened at its last step, whichever number that has', async () => {
    serve(reading());
    show(ROUTES, `/quote/edit/${UUID}?step=last`);
    await screen.findByRole('button', { name: PAY });
  });
});
