import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Call, forId, type Server, sent } from '../../../api/testing';
import { writeDraft } from '../../../form/answers/draft';
import { createdQuote, profileOf, savedQuote, siteWith, UUID } from '../../../testing/data';
import { COMPLETE } from '../../../testing/products/product';
import { serve, show } from '../../../testing/server';
import { EditQuote } from '../saved/EditQuote';
import { NewQuote } from './NewQuote';

const TRACKING = { utm_source: 'paper', utm_campaign: 'spring' };

const ROUTES = {
  '/': <NewQuote product="breakdown" />,
  '/quote/edit/:id': <EditQuote uuid={UUID} bought={<p>Policy form</p>} />,
};

const CREATE = 'POST /api/v2/public/quote/{product}';

const ANSWERS: Server = {
  [CREATE]: forId('breakdown', () => ({ data: createdQuote(UUID, 'BRK1') })),
  'GET /api/v2/public/quote/read/{id}': forId(UUID, () => ({ data: savedQuote(UUID, 'BRK1') })),
  'GET /api/v1/profile': ({ headers }) =>
    headers.get('Authorization') === 'Bearer secret'
      ? profileOf({ first_name: 'Ann', last_name: 'Smith' })
      : undefined,
};

const price = async (calls: Call[]) => {
  const priceRequest = () => sent(calls, 'POST /api/v1/price')[0];
  await waitFor(() => expect(priceRequest()).toBeTruthy());
  return priceRequest()?.body;
};

beforeEach(() => {
  writeDraft('breakdown', { answers: COMPLETE });
});

afterEach(() => {
  window.history.replaceState(null, '', '/');
  vi.unstubAllGlobals();
});

test('a price is asked for a product by name, and for a quote that is ready', async () => {
  const calls = serve(ANSWERS);
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
  const calls = serve(ANSWERS);
  show(ROUTES, '/?utm_source=paper&utm_campaign=spring&affiliate_uuid=a1');
  expect(await price(calls)).toMatchObject({ source_tracking: TRACKING });

  cleanup();
  const laterCalls = serve(ANSWERS);
  show(ROUTES, '/?step=3');
  expect(await price(laterCalls)).toMatchObject({ source_tracking: TRACKING });
  await userEvent.click(await screen.findByRole('button', { name: /^Next/ }));
  await screen.findByText('Quote created successfully.');
  expect(sent(laterCalls, CREATE)[0]?.body).toMatchObject({
    source_tracking: TRACKING,
    affiliate_uuid: 'a1',
  });
});

/** Makes the screen wide enough for the sidebar. */
function useWideScreen() {
  vi.stubGlobal('matchMedia', (media: string) => ({
    matches: true,
    media,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
}

test('the sidebar has the cover, the rating and whom to ask', async () => {
  useWideScreen();
  const rating_badge = { image: 'https://example.com/badge.svg', alt: 'Rated 5 out of 5' };
  serve({ 'GET /api/v1/site': () => ({ data: siteWith({ rating_badge }) }) }, ANSWERS);
  show(ROUTES, '/');
  const sidebar = within(await screen.findByRole('complementary', { name: 'Your cover' }));
  expect(sidebar.getByRole('region', { name: 'Cover summary' })).toBeTruthy();
  await sidebar.findByRole('img', { name: 'Rated 5 out of 5' });
  const ask = within(sidebar.getByRole('region', { name: 'Got any questions or need a hand?' }));
  for (const text of ['9am to 5pm Monday to Friday', '0330 123 4567', 'help@example.com']) {
    expect(ask.getByText(text)).toBeTruthy();
  }
});

test('once the quote is saved, the summary names the policyholder', async () => {
  useWideScreen();
  const calls = serve(ANSWERS);
  show(ROUTES, '/?step=3');
  await userEvent.click(await screen.findByRole('button', { name: /^Next/ }));
  await screen.findByText('Quote ID: BRK1');
  const holder = await screen.findByText('Ann Smith');
  expect(holder.closest('p')?.textContent).toBe('For Ann Smith');
  expect(sent(calls, 'GET /api/v1/profile').at(-1)?.headers.get('Authorization')).toBe(
    'Bearer secret',
  );
});
