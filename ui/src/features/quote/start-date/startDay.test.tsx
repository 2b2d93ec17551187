import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { forId, type Server, sent } from '../../../api/testing';
import { writeDraft } from '../../../form/answers/draft';
import { saveToken } from '../../../lib/storage/tokens';
import { createdQuote, FIGURES, formChecked, UUID, updatedQuote } from '../../../testing/data';
import { COMPLETE } from '../../../testing/products/product';
import { serve, show } from '../../../testing/server';
import { ROUTES as EDIT, PAY, quote, reading } from '../saved/editTesting';
import { NewQuote } from '../start/NewQuote';

const CREATE = 'POST /api/v2/public/quote/{product}';
const UPDATE = 'PUT /api/v1/quote/{id}';

/** Sets the clock to a moment and stops the clock. */
function setTime(moment: string) {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(moment) });
}

/** Sets the clock to a moment of the next day, and makes the page check the time. */
function dayBegins(moment: string) {
  vi.setSystemTime(new Date(moment));
  act(() => {
    document.dispatchEvent(new Event('visibilitychange'));
  });
}

const startField = () =>
  screen.getByRole<HTMLInputElement>('textbox', { name: 'When should your cover start?' });
const from = (start_date: string) => ({
  ...COMPLETE,
  values: { ...COMPLETE.values, start_date },
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('midnight in a new quote', () => {
  const routes = {
    '/': <NewQuote product="breakdown" />,
    '/quote/edit/:id': <p>Saved</p>,
  };
  const creating: Server = {
    [CREATE]: () => ({ data: createdQuote(UUID, 'BRK100000001') }),
    ...reading(),
  };

  test('moves a start that nobody chose, and leaves it to the server', async () => {
    setTime('2026-11-21T12:00:00Z');
    const calls = serve(creating);
    show(routes, '/');
    const user = userEvent.setup();
    await user.click(await screen.findByRole('radio', { name: 'Vehicle' }));
    expect(startField().value).toBe('22/11/2026');
    dayBegins('2026-11-22T00:00:30Z');
    await waitFor(() => expect(startField().value).toBe('23/11/2026'));
    expect(screen.queryByText(/can no longer start/)).toBeNull();
    expect(sent(calls, CREATE)).toEqual([]);
  });

  test('asks once about a start that was chosen, before anything is saved', async () => {
    setTime('2026-11-20T12:00:00Z');
    writeDraft('breakdown', { answers: from('25.11.2026') });
    setTime('2026-11-25T00:00:30Z');
    const calls = serve(creating);
    show(routes, '/?step=3');
    const user = userEvent.setup();
    const question = await screen.findByText(
      'Cover can no longer start on Wednesday 25 November 2026: may it start on Thursday 26 November 2026 instead?',
    );
    await user.click(screen.getByRole('button', { name: /^Next/ }));
    await waitFor(() => expect(document.activeElement?.contains(question)).toBe(true));
    expect(sent(calls, CREATE)).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Start on 26/11/2026' }));
    expect(screen.queryByText(/can no longer start/)).toBeNull();
    await user.click(screen.getByRole('button', { name: /^Next/ }));
    await screen.findByText('Saved');
    expect(sent(calls, CREATE)[0]?.body.product.values).toMatchObject({ start_date: '26.11.2026' });
  });

  test('says nothing of a draft whose start was tomorrow when it was kept', async () => {
    setTime('2026-11-18T12:00:00Z');
    writeDraft('breakdown', { answers: from('19.11.2026') });
    setTime('2026-11-21T12:00:00Z');
    const calls = serve(creating);
    show(routes, '/?step=3');
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: /^Next/ }));
    await screen.findByText('Saved');
    expect(screen.queryByText(/can no longer start/)).toBeNull();
    expect(sent(calls, CREATE)[0]?.body.product.values).not.toHaveProperty('start_date');
  });
});

describe('a saved quote on the day its cover would start', () => {
  beforeEach(() => {
    saveToken(UUID, 'secret');
    setTime('2026-11-22T09:00:00Z');
  });
  const offered = {
    inception: '2026-11-22',
    saved: '2026-11-21T12:00:00Z',
    values: { start_date: '22.11.2026' },
  };
  const saving: Server = {
    [UPDATE]: forId(UUID, () => ({ data: updatedQuote(UUID) })),
    'POST /api/v1/quote/update-accept/{id}': forId(UUID, () => ({
      data: { uuid: UUID, amount_due: 48.16, revision_id: 2, plan: null },
    })),
  };

  test('is ticked and paid at its price and with its dates', async () => {
    const calls = serve(saving, reading(offered));
    show(EDIT, `/quote/edit/${UUID}?step=4`);
    const user = userEvent.setup();
    await user.click(await screen.findByRole('checkbox', { name: /terms and conditions/ }));
    expect(screen.getByText('22/11/2026 to 21/11/2027')).toBeTruthy();
    expect(screen.queryByText(/can no longer start/)).toBeNull();
    await user.click(screen.getByRole('button', { name: PAY }));
    await screen.findByText('Payment page');
    // Only the other levels are priced: the quote's own price is valid.
    expect(sent(calls, 'POST /api/v1/price')).toEqual([]);
    const prices = sent(calls, 'POST /api/v1/prices').map(({ body }) => body.requests);
    const levels = prices.map((each) => each.map(({ product }) => product.values?.cover_level));
    expect(levels).toEqual([[4, 5]]);
  });

  test('is asked about with its own start, and its steps can be gone through', async () => {
    const CHECK = 'POST /api/v1/form/{id}/check';
    const calls = serve(
      {
        [CHECK]: () => ({
          data: formChecked({ start_date: 'Enter a date on or after 23/11/2026' }),
        }),
      },
      reading(offered),
    );
    show(EDIT, `/quote/edit/${UUID}?step=1`);
    await waitFor(() =>
      expect(sent(calls, CHECK).at(-1)?.body).toMatchObject({
        values: { start_date: '22.11.2026' },
        keeps_term: true,
      }),
    );
    await userEvent.click(screen.getByRole('button', { name: /^Next/ }));
    await screen.findByRole('region', { name: 'Vehicle 1' }, { timeout: 5000 });
    expect(screen.queryByText(/Enter a date/)).toBeNull();
  });

  test('moves its start as soon as an answer changes that decides the price', async () => {
    const nextFigures = { ...FIGURES, inception: '2026-11-23', expiry: '2027-11-22' };
    serve(
      saving,
      { 'POST /api/v1/price': () => ({ data: { figures: nextFigures } }) },
      reading(offered),
    );
    show(EDIT, `/quote/edit/${UUID}?step=3`);
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'Update my details' }));
    await user.click(screen.getByRole('checkbox', { name: 'Key cover' }));
    await screen.findByText('23/11/2026 to 22/11/2027', undefined, { timeout: 5000 });
    expect(screen.queryByText(/can no longer start/)).toBeNull();
  });

  test('asks about a start that was chosen as soon as one changes', async () => {
    serve(saving, reading({ ...offered, saved: '2026-11-15T12:00:00Z' }));
    show(EDIT, `/quote/edit/${UUID}?step=3`);
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'Update my details' }));
    expect(screen.queryByText(/can no longer start/)).toBeNull();
    await user.click(screen.getByRole('checkbox', { name: 'Key cover' }));
    await screen.findByRole('button', { name: 'Start on 23/11/2026' });
  });

  test('says no last day while its start is asked about', async () => {
    const ends: Server = {
      'POST /api/v1/form/{id}/check': () => ({
        data: { ...formChecked({}), derived: { cover_end_date: '22.11.2027' } },
      }),
    };
    serve(ends, saving, reading({ ...offered, saved: '2026-11-15T12:00:00Z' }));
    show(EDIT, `/quote/edit/${UUID}?step=1`);
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'Update my details' }));
    await screen.findByText('22/11/2027');
    await user.click(screen.getByRole('radio', { name: 'European' }));
    await screen.findByRole('button', { name: 'Start on 23/11/2026' });
    await waitFor(() => expect(screen.queryByText('22/11/2027')).toBeNull());
    await user.click(screen.getByRole('button', { name: 'Start on 23/11/2026' }));
    await screen.findByText('22/11/2027', undefined, { timeout: 5000 });
  });
});

describe('a quote after its start day', () => {
  beforeEach(() => {
    saveToken(UUID, 'secret');
    setTime('2026-11-27T09:00:00Z');
  });
  const lapsed = {
    status: 32 as const,
    inception: '2026-11-25',
    saved: '2026-11-15T12:00:00Z',
    values: { start_date: '25.11.2026' },
  };
  const priced = (amount: number): Server => ({
    'POST /api/v1/price': () => ({
      data: {
        figures: {
          ...FIGURES,
          amount_total: amount,
          inception: '2026-11-28',
          expiry: '2027-11-27',
        },
      },
    }),
  });

  test('opens with its start moved to tomorrow, unsaved, and both prices', async () => {
    let status: 1 | 32 = 32;
    const calls = serve(
      {
        [UPDATE]: forId(UUID, () => {
          status = 1;
          return { data: updatedQuote(UUID) };
        }),
      },
      priced(50.2),
      reading(() => (status === 1 ? { revision: 2, inception: '2026-11-28' } : lapsed)),
    );
    show(EDIT, `/quote/edit/${UUID}`);
    await screen.findByText(
      /The start day of this quote, Wednesday 25 November 2026, has passed, so we have moved the start to Saturday 28 November 2026: save your quote to be able to buy it\. It was quoted at £48\.16; from the new day it costs £50\.20\./,
    );
    expect(startField().value).toBe('28/11/2026');
    expect(screen.queryByText(/We hold this price/)).toBeNull();
    expect(sent(calls, UPDATE)).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
    await screen.findByText('Quote updated successfully.');
    await waitFor(() => expect(screen.queryByText(/has passed/)).toBeNull());
    expect(sent(calls, UPDATE)[0]?.body.product.values).toMatchObject({ cover_type: 2 });
  });

  test('says one price where both are the same', async () => {
    serve(priced(48.16), reading(lapsed));
    show(EDIT, `/quote/edit/${UUID}`);
    const notice = await screen.findByText(/so we have moved the start to/);
    await screen.findByText('28/11/2026 to 27/11/2027', undefined, { timeout: 5000 });
    expect(notice.textContent).not.toContain('£');
  });

  test('asks for other days of a trip, which only the customer knows', async () => {
    const values = { cover_type: 1, cover_level: 5, cover_length: 2 };
    const trips = [
      { trip_destination: 'FR', trip_start_date: '25.11.2026', trip_end_date: '26.11.2026' },
    ];
    serve({
      'GET /api/v2/public/quote/read/{id}': () => ({
        data: { ...quote({ ...lapsed, values }), multi: { trips } },
      }),
    });
    show(EDIT, `/quote/edit/${UUID}`);
    await screen.findByText(
      /^Your first day of cover has passed\. Enter new dates, then save your quote to be able to buy it\.$/,
    );
    const question = screen.getByRole('alert');
    expect(question.textContent).toContain(
      'Trip 1: Cover can no longer start on Wednesday 25 November 2026: please choose another day.',
    );
    await userEvent.click(within(question).getByRole('button', { name: 'Choose another day' }));
    await waitFor(() => expect(document.activeElement?.id).toBe('answer-trips-0-trip_start_date'));
  });

  test('that lapses while it is open has its start moved, and what was changed is kept', async () => {
    setTime('2026-11-25T23:59:00Z');
    let status: 1 | 32 = 1;
    serve(
      priced(50.2),
      reading(() => ({ ...lapsed, status })),
    );
    show(EDIT, `/quote/edit/${UUID}?step=2`);
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'Update my details' }));
    await user.type(screen.getByRole('textbox', { name: 'First name' }), 'e');
    status = 32;
    dayBegins('2026-11-26T00:00:10Z');
    await screen.findByText(/so we have moved the start to Friday 27 November 2026/);
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'First name' }).value).toBe(
      'Anne',
    );
  });
});
