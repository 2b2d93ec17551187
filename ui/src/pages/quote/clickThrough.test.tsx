import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { forId, refuse, type Server, sent } from '../../api/testing';
import { EditQuote } from '../../features/quote/saved/EditQuote';
import { recentErrors } from '../../lib/errors';
import { tokenFor } from '../../lib/storage/tokens';
import { profileOf, savedQuote } from '../../testing/data';
import { serve, show } from '../../testing/server';
import Aggregator from './Aggregator';

const UUID = '0197f3c2-0000-7000-8000-000000000003';
const ID = 'c0ffee00c0ffee00c0ffee00c0ffee00';
const NOTICE = 'Your price is another one because cover starts on a later day.';

const ROUTES = {
  '/': <p>The quote start</p>,
  '/aggregator/:id?': <Aggregator />,
  '/quote/edit/:id': <EditQuote uuid={UUID} bought={<p>Policy form</p>} />,
};

const CLICK = 'POST /api/v2/aggregator';

const quote = (token: string | null) =>
  savedQuote(UUID, 'BRK3', {
    aggregator: {
      id: 1,
      name: 'Compare Them',
      identifier: 'compare',
      logo_url: '/partners/compare.svg',
    },
    consumer_token: token,
    notices: [NOTICE],
  });

const USED = refuse(409, 'Used', { code: 'click_used' });

/** Builds a server that accepts the link once. */
function openLinkOnce(): Server {
  let used = false;
  const own = (headers: Headers) => headers.get('Authorization') === 'Bearer secret';
  return {
    [CLICK]: () => {
      if (used) return USED;
      used = true;
      return { data: quote('secret') };
    },
    'GET /api/v2/public/quote/read/{id}': forId(UUID, ({ headers }) =>
      own(headers) ? { data: quote(null) } : undefined,
    ),
    'GET /api/v2/quote/documents/{id}': () => ({ data: [] }),
    'GET /api/v1/profile': ({ headers }) =>
      own(headers) ? profileOf({ first_name: 'Ann', last_name: 'Smith' }) : undefined,
  };
}

const errorMessages = () => recentErrors.get().map((error) => error.message);

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
    const calls = serve(openLinkOnce());
    show(ROUTES, `/aggregator/${ID}`);
    await screen.findByText('Quote ID: BRK3');
    await waitFor(() => expect(window.location.pathname).toBe(`/quote/edit/${UUID}`));
    // Nothing is left to answer.
    expect(screen.getByRole('heading', { name: 'Payment', level: 1 })).toBeTruthy();
    expect(tokenFor(UUID)).toBe('secret');
    expect(sent(calls, CLICK)[0]?.body).toEqual({ id: ID });
    const profileCalls = sent(calls, 'GET /api/v1/profile');
    expect(profileCalls.map(({ headers }) => headers.get('Authorization'))).toContain(
      'Bearer secret',
    );
    expect(screen.getByRole('button', { name: 'Pay £48.16 now' })).toBeTruthy();
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
    const calls = serve(openLinkOnce());
    show(ROUTES, `/aggregator/${ID}`);
    await screen.findByText('Quote ID: BRK3');
    document.body.replaceChildren();
    show(ROUTES, `/aggregator/${ID}`);
    await screen.findByText('Quote ID: BRK3');
    expect(sent(calls, CLICK)).toHaveLength(1);
    expect(errorMessages()).toEqual([]);
  });

  test('used elsewhere, it offers to mail a link', async () => {
    const calls = serve({ [CLICK]: ({ body }) => (body.mail_link ? { data: {} } : USED) });
    show(ROUTES, `/aggregator/${ID}`);
    await screen.findByRole('heading', { name: 'This link was used before' });
    await userEvent.click(screen.getByRole('button', { name: 'Email me a link' }));
    await screen.findByText(/We have sent the link/);
    expect(calls.at(-1)?.body).toEqual({ id: ID, mail_link: true });
    expect(errorMessages()).not.toContain('Aggregator read failed');
  });

  test('used elsewhere, with no address in the quote, it says who to ask', async () => {
    const unknown = refuse(422, 'No address', { code: 'no_address' });
    serve({ [CLICK]: ({ body }) => (body.mail_link ? unknown : USED) });
    show(ROUTES, `/aggregator/${ID}`);
    await userEvent.click(await screen.findByRole('button', { name: 'Email me a link' }));
    await screen.findByText(/There is no email address in this quote/);
    expect(screen.getByRole('link', { name: '0330 123 4567' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Email me a link' })).toBeNull();
  });

  test('that asks for too many mails is told to wait', async () => {
    const wait = refuse(429, 'Too many.', { retryAfter: 120 });
    serve({ [CLICK]: ({ body }) => (body.mail_link ? wait : USED) });
    show(ROUTES, `/aggregator/${ID}`);
    await userEvent.click(await screen.findByRole('button', { name: 'Email me a link' }));
    await screen.findByText('That was too many tries. Please wait 2 minutes and try again.');
  });

  test('unknown or run out, it raises "Aggregator read failed" and leads on', async () => {
    serve({ [CLICK]: () => refuse(404, 'No', { code: 'not_found' }) });
    show(ROUTES, `/aggregator/${ID}`);
    await screen.findByRole('heading', { name: 'This link no longer works' });
    expect(errorMessages()).toContain('Aggregator read failed');
    expect(screen.getByText(/Aggregator read failed/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Start a new quote' }).getAttribute('href')).toBe('/');
    expect(await screen.findByRole('link', { name: '0330 123 4567' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  });

  test('met by a server that is down, it can be tried again', async () => {
    let down = true;
    serve({ [CLICK]: () => (down ? refuse(503, 'We are stopping.') : undefined) }, openLinkOnce());
    show(ROUTES, `/aggregator/${ID}`);
    const retryButton = await screen.findByRole('button', { name: 'Try again' });
    expect(errorMessages()).toContain('Aggregator read failed');
    down = false;
    await userEvent.click(retryButton);
    await screen.findByText('Quote ID: BRK3');
  });

  test('without an id, it says that there is nothing to show', async () => {
    const calls = serve();
    show(ROUTES, '/aggregator');
    await screen.findByRole('heading', { name: 'There is no quote to show' });
    expect(sent(calls, CLICK)).toEqual([]);
  });
});
