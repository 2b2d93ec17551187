import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { forId, type Server, sent } from '../../../api/testing';
import { writeDraft } from '../../../form/answers/draft';
import { saveToken } from '../../../lib/storage/tokens';
import { FIGURES, UUID, updatedQuote } from '../../../testing/data';
import { COMPLETE } from '../../../testing/products/product';
import { serve, show } from '../../../testing/server';
import { quote, ROUTES, reading } from '../saved/editTesting';

const ACCEPT = 'POST /api/v1/quote/update-accept/{id}';
const AGREED = { terms_and_conditions: true };
const LAST = `/quote/edit/${UUID}?step=4`;

const due = (amount_due: number): Server => ({
  [ACCEPT]: forId(UUID, () => ({ data: { uuid: UUID, amount_due, revision_id: 1, plan: null } })),
});

const pay = (amount: string) => screen.findByRole('button', { name: `Pay ${amount} now` });

describe('the button to pay', () => {
  beforeEach(() => saveToken(UUID, 'secret'));
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  test('says what the quote says, and that is what is paid', async () => {
    serve(due(48.16), reading({ values: AGREED }));
    show(ROUTES, LAST);
    await userEvent.click(await pay('£48.16'));
    await screen.findByText('Payment page');
  });

  test('says no amount until a new price is known', async () => {
    let answer = (_: unknown) => undefined as unknown;
    const slow = new Promise((done) => {
      answer = done as typeof answer;
    });
    const dearer = { ...FIGURES, amount_total: 52.16 };
    serve(
      { 'POST /api/v1/price': () => slow.then(() => ({ data: { figures: dearer } })) },
      reading({ values: AGREED }),
    );
    const values = { ...COMPLETE.values, ...AGREED, key_cover: true };
    writeDraft(UUID, { answers: { ...COMPLETE, values }, revision: 1 });
    show(ROUTES, LAST);
    await screen.findByRole('button', { name: 'Pay' });
    answer(null);
    await pay('£52.16');
  });

  test('pays for no other amount than it says: the new one is shown first', async () => {
    let amount = 48.16;
    const calls = serve({
      'PUT /api/v1/quote/{id}': forId(UUID, () => ({ data: updatedQuote(UUID) })),
      [ACCEPT]: forId(UUID, () => {
        amount = 50;
        return { data: { uuid: UUID, amount_due: 50, revision_id: 1, plan: null } };
      }),
      'GET /api/v2/public/quote/read/{id}': () => {
        const read = quote({ values: AGREED });
        const price = read.info.price && { ...read.info.price, amount_total: amount };
        return { data: { ...read, info: { ...read.info, price } } };
      },
    });
    show(ROUTES, LAST);
    await userEvent.click(await pay('£48.16'));
    await screen.findByText(/The price has changed since you saw it/);
    expect(screen.queryByText('Payment page')).toBeNull();
    await userEvent.click(await pay('£50.00'));
    await screen.findByText('Payment page');
    expect(sent(calls, ACCEPT)).toHaveLength(2);
  });

  test('is in the price bar of a phone too, beside the way to the summary', async () => {
    vi.stubGlobal('matchMedia', (media: string) => ({
      matches: false,
      media,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }));
    serve(due(48.16), reading({ values: AGREED }));
    const router = show(ROUTES, `/quote/edit/${UUID}?step=3`);
    const bar = () => document.querySelector<HTMLElement>('[data-price-bar]') as HTMLElement;
    await screen.findByRole('button', { name: 'Summary' });
    expect(within(bar()).queryByRole('button', { name: /^Pay/ })).toBeNull();
    await router.navigate(LAST);
    const paying = await waitFor(() =>
      within(bar()).getByRole('button', { name: 'Pay £48.16 now' }),
    );
    expect(within(bar()).getByRole('button', { name: 'Summary' })).toBeTruthy();
    await userEvent.click(paying);
    await screen.findByText('Payment page');
  });
});
