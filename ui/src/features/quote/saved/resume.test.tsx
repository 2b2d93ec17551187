import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { forId, type Handler, refuse, type Server, sent } from '../../../api/testing';
import type { QuoteInfo } from '../../../api/types';
import { forgetToken, saveToken, tokenFor } from '../../../lib/storage/tokens';
import { savedQuote, UUID } from '../../../testing/data';
import { serve, show } from '../../../testing/server';
import { EditQuote } from './EditQuote';

const ROUTES = {
  '/': <p>The quote start</p>,
  '/quote/edit/:id': <EditQuote uuid={UUID} bought={<p>Policy form</p>} />,
};

const RESUME = 'POST /api/v1/quote/resume';
const QUOTE = savedQuote(UUID, 'BRK100000001');

/** Builds a server whose quote needs the token that the server returns for the link's secret. */
const shop = (resume: Handler<typeof RESUME>): Server => ({
  [RESUME]: resume,
  'GET /api/v2/public/quote/read/{id}': forId(UUID, ({ headers }) =>
    headers.get('Authorization') === 'Bearer fresh' ? { data: QUOTE } : refuse(401, 'Not here'),
  ),
});

const opened = () => ({ data: { uuid: UUID, consumer_token: 'fresh' } });

afterEach(() => {
  forgetToken(UUID);
  vi.unstubAllGlobals();
});

test('a mailed link opens its quote, and its secret is in the address no longer', async () => {
  const calls = serve(shop(opened));
  show(ROUTES, `/quote/edit/${UUID}?step=2#resume=secret-1`);
  await screen.findByText('Quote ID: BRK100000001');
  await waitFor(() => expect(window.location).toMatchObject({ hash: '', search: '?step=2' }));
  expect(tokenFor(UUID)).toBe('fresh');
  expect(sent(calls, RESUME).map(({ body }) => body)).toEqual([{ secret: 'secret-1' }]);
});

describe('a mailed link with no step in it', () => {
  const opening = async (info: Partial<QuoteInfo>, values = QUOTE.values) => {
    const read = { ...QUOTE, info: { ...QUOTE.info, ...info }, values };
    serve({ ...shop(opened), 'GET /api/v2/public/quote/read/{id}': () => ({ data: read }) });
    show(ROUTES, `/quote/edit/${UUID}#resume=secret-1`);
    await screen.findByText('Quote ID: BRK100000001');
  };

  test('opens what is complete where it is paid for, once', async () => {
    await opening({});
    expect(screen.getByRole('heading', { name: 'Payment', level: 1 })).toBeTruthy();
    expect(window.location.search).toBe('?step=last');
    await userEvent.click(screen.getByRole('button', { name: 'Change Cover type' }));
    await screen.findByRole('heading', { name: 'Cover type', level: 1 });
    expect(window.location.search).toBe('');
  });

  test('opens what lacks answers at the first step with one missing, and says so there alone', async () => {
    const flags = { ...QUOTE.info.flags, buyable: false };
    await opening({ status_id: 30, flags }, { ...QUOTE.values, first_name: null });
    await screen.findByRole('heading', { name: 'Your details', level: 1 });
    await screen.findByText('Some answers are still missing. Fill them in, then go on.');
    await userEvent.click(screen.getByRole('button', { name: 'Back' }));
    await screen.findByRole('heading', { name: 'Cover type', level: 1 });
    expect(screen.queryByText(/answers are still missing/)).toBeNull();
  });

  test('opens a renewal where it is compared with the year before', async () => {
    await opening({ flags: { ...QUOTE.info.flags, renewal_quote: true } });
    expect(screen.getByRole('heading', { name: 'Cover type', level: 1 })).toBeTruthy();
  });
});

test('a dead link says so, and leads to the login or a new quote', async () => {
  serve(shop(() => refuse(404, 'Gone')));
  show(ROUTES, `/quote/edit/${UUID}#resume=secret-1`);
  await screen.findByRole('heading', { name: 'This link no longer works' });
  expect(screen.getByRole('link', { name: 'Log in' }).getAttribute('href')).toContain(
    encodeURIComponent(`/quote/edit/${UUID}`),
  );
  expect(screen.getByRole('link', { name: 'Start a new quote' })).toBeTruthy();
});

test('a dead link is no matter where this browser may open the quote anyway', async () => {
  saveToken(UUID, 'fresh');
  serve(shop(() => refuse(404, 'Gone')));
  show(ROUTES, `/quote/edit/${UUID}#resume=secret-1`);
  await screen.findByText('Quote ID: BRK100000001');
});

test('a failed line can be tried again with the same link', async () => {
  let busy = true;
  serve(shop(() => (busy ? refuse(503, 'Busy') : opened())));
  show(ROUTES, `/quote/edit/${UUID}#resume=secret-1`);
  await screen.findByRole('heading', { name: "We couldn't load your quote" });
  busy = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.getByText('Quote ID: BRK100000001')).toBeTruthy());
});
