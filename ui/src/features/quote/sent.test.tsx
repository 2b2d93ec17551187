import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { writeDraft } from '../../form/draft';
import { COMPLETE } from '../../testing/products/product';
import { type Answer, type Call, savedQuote, serve, show } from '../../testing/server';
import { EditQuote } from './EditQuote';
import { NewQuote } from './NewQuote';

const UUID = '0197f3c2-0000-7000-8000-000000000001';
const TRACKING = { utm_source: 'paper', utm_campaign: 'spring' };

const ROUTES = {
  '/': <NewQuote product="breakdown" />,
  '/quote/edit/:id': <EditQuote uuid={UUID} bought={<p>Policy form</p>} />,
};

const created = {
  uuid: UUID,
  custom_id: 'BRK1',
  consumer_token: 'secret',
  status_id: 1,
  revision_id: 1,
  notices: [],
};

const read = savedQuote(UUID, 'BRK1');

const answers: Answer = ({ path, headers }) => {
  if (path === '/api/v2/public/quote/breakdown') return { status: 201, body: { data: created } };
  if (path === `/api/v2/public/quote/read/${UUID}`) return { status: 200, body: { data: read } };
  if (path === '/api/v1/profile' && headers.get('Authorization') === 'Bearer secret') {
    return { status: 200, body: { data: { first_name: 'Ann', last_name: 'Smith' } } };
  }
  return undefined;
};

const price = async (calls: Call[]) => {
  const found = () => calls.find(({ path }) => path === '/api/v1/price');
  await waitFor(() => expect(found()).toBeTruthy());
  return found()?.body;
};

beforeEach(() => {
  writeDraft('breakdown', { answers: COMPLETE });
});

afterEach(() => {
  window.history.replaceState(null, '', '/');
  vi.unstubAllGlobals();
});

test('a price is asked for a product by name, and for a quote that is ready', async () => {
  const calls = serve(answers);
  show(ROUTES, '/');
  const body = await price(calls);
  expect(body).toMatchObject({
    product_identifier: 'breakdown',
    quote_ready: true,
    product: { product_identifier: 'breakdown', values: { cover_type: 2 } },
  });
  expect(body).not.toHaveProperty('source_tracking');
});

test("the first address's words go with price and quote, later in the same tab too", async () => {
  const calls = serve(answers);
  window.history.replaceState(null, '', '/?utm_source=paper&utm_campaign=spring&affiliate_uuid=a1');
  show(ROUTES, '/');
  expect(await price(calls)).toMatchObject({ source_tracking: TRACKING });

  window.history.replaceState(null, '', '/');
  document.body.replaceChildren();
  const later = serve(answers);
  show(ROUTES, '/?step=3');
  expect(await price(later)).toMatchObject({ source_tracking: TRACKING });
  await userEvent.click(await screen.findByRole('button', { name: /^Next/ }));
  await screen.findByText('Quote created successfully.');
  const create = later.find(({ path }) => path === '/api/v2/public/quote/breakdown');
  expect(create?.body).toMatchObject({ source_tracking: TRACKING, affiliate_uuid: 'a1' });
});

test('once the quote is saved, the summary names the policyholder', async () => {
  vi.stubGlobal('matchMedia', (media: string) => ({
    matches: true,
    media,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  const calls = serve(answers);
  show(ROUTES, '/?step=3');
  await userEvent.click(await screen.findByRole('button', { name: /^Next/ }));
  await screen.findByText('Quote ID: BRK1');
  const holder = await screen.findByText('Ann Smith');
  expect(holder.closest('p')?.textContent).toBe('For Ann Smith');
  const asked = calls.filter(({ path }) => path === '/api/v1/profile');
  expect(asked.at(-1)?.headers.get('Authorization')).toBe('Bearer secret');
});
