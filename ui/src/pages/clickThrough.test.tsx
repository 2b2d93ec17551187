import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { EditQuote } from '../features/quote/EditQuote';
import { recentErrors } from '../lib/errors';
import { tokenFor } from '../lib/tokens';
import { COMPLETE } from '../testing/products/product';
import { type Answer, FIGURES, serve, show } from '../testing/server';
import Aggregator from './Aggregator';

const UUID = '0197f3c2-0000-7000-8000-000000000003';
const ID = 'c0ffee00c0ffee00c0ffee00c0ffee00';
const NOTICE = 'Your price is another one because cover starts on a later day.';

const ROUTES = {
  '/': <p>The quote start</p>,
  '/aggregator/:id?': <Aggregator />,
  '/quote/edit/:id': <EditQuote uuid={UUID} bought={<p>Policy form</p>} />,
};

const quote = (token: string | null) => ({
  info: {
    uuid: UUID,
    product_identifier: 'breakdown',
    custom_id: 'BRK3',
    quotePolicyID: 'BRK3',
    status_id: 1,
    reason: null,
    dates: { inception: '2026-11-22', expiry: '2027-11-21', quote_expiry: null },
    revision_id: 1,
    price: FIGURES,
    flags: { buyable: true, accepted: false, renewal_quote: false, policy: false },
    aggregator: {
      id: 1,
      name: 'Compare Them',
      identifier: 'compare',
      logo_url: '/partners/compare.svg',
    },
    consumer_token: token,
    notices: [NOTICE],
  },
  form: { product_identifier: 'breakdown', datasets: [] },
  values: COMPLETE.values,
  multi: COMPLETE.multi,
  versions: [],
});

/** A server that accepts the link once. */
function fresh(): Answer {
  let used = false;
  return ({ path, headers }) => {
    if (path === '/api/v2/aggregator') {
      if (used) return { status: 409, body: { message: 'Used', code: 'click_used' } };
      used = true;
      return { status: 200, body: { data: quote('secret') } };
    }
    const own = headers.get('Authorization') === 'Bearer secret';
    if (path === `/api/v2/public/quote/read/${UUID}` && own) {
      return { status: 200, body: { data: quote(null) } };
    }
    if (path === '/api/v1/profile' && own) {
      return { status: 200, body: { data: { first_name: 'Ann', last_name: 'Smith' } } };
    }
    return undefined;
  };
}

const refuse =
  (status: number, code: string): Answer =>
  ({ path }) =>
    path === '/api/v2/aggregator' ? { status, body: { message: 'No', code } } : undefined;

const told = () => recentErrors.get().map((error) => error.message);

beforeEach(() => {
  recentErrors.set([]);
  vi.stubGlobal('matchMedia', (media: string) => ({
    matches: true,
    media,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
});

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("a partner's link", () => {
  test('opens the quote with its token, its price, its notice and who it is from', async () => {
    const calls = serve(fresh());
    const router = show(ROUTES, `/aggregator/${ID}`);
    await screen.findByText('Quote ID: BRK3');
    expect(router.state.location.pathname).toBe(`/quote/edit/${UUID}`);
    expect(tokenFor(UUID)).toBe('secret');
    expect(calls.find(({ path }) => path === '/api/v2/aggregator')?.body).toEqual({ id: ID });
    expect(
      calls.some(
        ({ path, headers }) =>
          path === '/api/v1/profile' && headers.get('Authorization') === 'Bearer secret',
      ),
    ).toBe(true);
    expect(screen.getByText('£48.16')).toBeTruthy();
    expect(screen.getAllByText(NOTICE)).toHaveLength(1);

    const summary = within(screen.getByRole('region', { name: 'Cover summary' }));
    expect(summary.getByText('In association with:')).toBeTruthy();
    const logo = summary.getByRole<HTMLImageElement>('presentation');
    expect(logo.getAttribute('src')).toBe('/partners/compare.svg');
    expect(await summary.findByText('Ann Smith')).toBeTruthy();
    fireEvent.error(logo);
    expect(summary.queryByRole('presentation')).toBeNull();
    expect(summary.getByText('Compare Them')).toBeTruthy();
  });

  test('followed again in the same browser is no second use', async () => {
    const calls = serve(fresh());
    show(ROUTES, `/aggregator/${ID}`);
    await screen.findByText('Quote ID: BRK3');
    document.body.replaceChildren();
    show(ROUTES, `/aggregator/${ID}`);
    await screen.findByText('Quote ID: BRK3');
    expect(calls.filter(({ path }) => path === '/api/v2/aggregator')).toHaveLength(1);
    expect(told()).toEqual([]);
  });

  test('used elsewhere, it offers to mail a link', async () => {
    const calls = serve(({ path, body }) => {
      if (path !== '/api/v2/aggregator') return undefined;
      return (body as { mail_link?: boolean }).mail_link
        ? { status: 200, body: { data: {} } }
        : { status: 409, body: { message: 'Used', code: 'click_used' } };
    });
    show(ROUTES, `/aggregator/${ID}`);
    await screen.findByRole('heading', { name: 'This link was used before' });
    await userEvent.click(screen.getByRole('button', { name: 'Email me a link' }));
    await screen.findByText(/We have sent the link/);
    expect(calls.at(-1)?.body).toEqual({ id: ID, mail_link: true });
    expect(told()).not.toContain('Aggregator read failed');
  });

  test('used elsewhere, with no address in the quote, it says who to ask', async () => {
    serve(({ path, body }) => {
      if (path !== '/api/v2/aggregator') return undefined;
      return (body as { mail_link?: boolean }).mail_link
        ? { status: 422, body: { message: 'No address', code: 'no_address' } }
        : { status: 409, body: { message: 'Used', code: 'click_used' } };
    });
    show(ROUTES, `/aggregator/${ID}`);
    await userEvent.click(await screen.findByRole('button', { name: 'Email me a link' }));
    await screen.findByText(/There is no email address in this quote/);
    expect(screen.getByRole('link', { name: '0330 123 4567' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Email me a link' })).toBeNull();
  });

  test('that asks for too many mails is told to wait', async () => {
    serve(({ path, body }) => {
      if (path !== '/api/v2/aggregator') return undefined;
      return (body as { mail_link?: boolean }).mail_link
        ? { status: 429, body: { message: 'Too many.' }, headers: { 'Retry-After': '120' } }
        : { status: 409, body: { message: 'Used', code: 'click_used' } };
    });
    show(ROUTES, `/aggregator/${ID}`);
    await userEvent.click(await screen.findByRole('button', { name: 'Email me a link' }));
    await screen.findByText('That was too many tries. Please wait 2 minutes and try again.');
  });

  test('unknown or run out, it raises "Aggregator read failed" and leads on', async () => {
    serve(refuse(404, 'not_found'));
    show(ROUTES, `/aggregator/${ID}`);
    await screen.findByRole('heading', { name: 'This link no longer works' });
    expect(told()).toContain('Aggregator read failed');
    expect(screen.getByText(/Aggregator read failed/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Start a new quote' }).getAttribute('href')).toBe('/');
    expect(await screen.findByRole('link', { name: '0330 123 4567' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  });

  test('met by a server that is down, it can be tried again', async () => {
    let down = true;
    const works = fresh();
    serve((call) =>
      down && call.path === '/api/v2/aggregator' ? { status: 503, body: {} } : works(call),
    );
    show(ROUTES, `/aggregator/${ID}`);
    const again = await screen.findByRole('button', { name: 'Try again' });
    expect(told()).toContain('Aggregator read failed');
    down = false;
    await userEvent.click(again);
    await screen.findByText('Quote ID: BRK3');
  });

  test('without an id, it says that there is nothing to show', async () => {
    const calls = serve();
    show(ROUTES, '/aggregator');
    await screen.findByRole('heading', { name: 'There is no quote to show' });
    await waitFor(() => expect(calls.every(({ path }) => path === '/api/v1/site')).toBe(true));
  });
});
