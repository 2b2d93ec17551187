import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '../../../api/client';
import { refuse, type Server } from '../../../api/testing';
import { REDIRECT_WINDOW_MS } from '../../../lib/session/signOn';
import { siteWith } from '../../../testing/data';
import { serve, visit } from '../../../testing/server';
import { LoadError } from '../../../ui/errors/LoadError';
import { ANN, account, row } from '../list/testing';
import { DashboardScreen } from '../overview/DashboardScreen';
import { reload } from '../testing';

const SIGN_ON = 'https://id.example/in?client=shop';
const POLICIES = '/dashboard?tab=policies';

let listed: 200 | 401 | 403 = 200;
const assign = () => vi.mocked(window.location.assign);

/** The server of a shop with a login page on another site. Ann is logged in. */
const shop: Server[] = [
  {
    'GET /api/v1/site': () => ({ data: siteWith({ login_redirect: SIGN_ON }) }),
    'GET /api/v1/profile': () => ANN,
    'GET /api/v2/policy/list': () => (listed === 200 ? undefined : refuse(listed, 'Not you')),
  },
  account(() => [row(1)]),
];

/** Opens a page as after a full page load: only stored data remains. */
async function openPage(path: string) {
  cleanup();
  await reload();
  window.dispatchEvent(new Event('pageshow'));
  window.history.replaceState(null, '', path);
  return visit({ '/dashboard': <DashboardScreen />, '/policy/view/1': <p>The policy</p> }, path);
}

beforeEach(() => {
  listed = 200;
  vi.spyOn(window.location, 'assign').mockImplementation(() => {});
  serve(...shop);
});
afterEach(() => {
  window.history.replaceState(null, '', '/');
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a login page elsewhere', () => {
  async function expectRedirect(status: 401 | 403) {
    listed = status;
    await openPage(POLICIES);
    await waitFor(() => expect(assign()).toHaveBeenCalled());
    expect(assign().mock.calls).toEqual([[`${SIGN_ON}&state=${encodeURIComponent(POLICIES)}`]]);
    expect(screen.queryByLabelText('Username')).toBeNull();
  }

  test('is where a 401 of a list leads, with the page to come back to', () => expectRedirect(401));

  test('is where a 403 of a list leads, with the page to come back to', () => expectRedirect(403));

  test('is where calls that fail together lead once', async () => {
    listed = 401;
    await openPage('/dashboard');
    await waitFor(() => expect(assign()).toHaveBeenCalledTimes(1));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(assign()).toHaveBeenCalledTimes(1);
  });

  test('is left for our own login card after a round that brought no login', async () => {
    listed = 401;
    await openPage(POLICIES);
    await waitFor(() => expect(assign()).toHaveBeenCalledTimes(1));
    await openPage(POLICIES);
    await screen.findByRole('heading', { name: 'Please Log in to proceed' });
    expect(screen.getByLabelText('Username')).toBeTruthy();
    expect(assign()).toHaveBeenCalledTimes(1);

    const now = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(now + REDIRECT_WINDOW_MS);
    await openPage(POLICIES);
    await waitFor(() => expect(assign()).toHaveBeenCalledTimes(2));
  });

  test('is not led to where the browser stores nothing that would end a loop', async () => {
    listed = 401;
    vi.spyOn(window, 'sessionStorage', 'get').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    await openPage(POLICIES);
    await screen.findByRole('heading', { name: 'Please Log in to proceed' });
    expect(assign()).not.toHaveBeenCalled();
  });

  test('sends back to a page of ours, and to no other host', async () => {
    await openPage(`/dashboard?state=${encodeURIComponent('/policy/view/1')}`);
    await screen.findByText('The policy');
    expect(window.location.pathname).toBe('/policy/view/1');
    for (const state of ['https://evil.example/', '//evil.example', '/\\evil.example']) {
      await openPage(`/dashboard?state=${encodeURIComponent(state)}`);
      await screen.findByRole('heading', { name: 'My Account' });
      await waitFor(() => expect(window.location.pathname, state).toBe('/dashboard'));
    }
    expect(assign()).not.toHaveBeenCalled();
  });

  test('is where "Log in" leads on a page that could not be read, and after that to our own', async () => {
    const error = new ApiError(401, 'Nobody');
    const failed = <LoadError what="policy" error={error} onRetry={() => {}} />;
    serve({ 'GET /api/v1/profile': () => refuse(401, 'Nobody') }, ...shop);
    visit({ '/policy/view/1': failed }, '/policy/view/1#payments');
    const link = () => screen.findByRole('link', { name: 'Log in' });
    await waitFor(async () =>
      expect((await link()).getAttribute('href')).toBe(
        `${SIGN_ON}&state=%2Fpolicy%2Fview%2F1%23payments`,
      ),
    );
    (await link()).addEventListener('click', (event) => event.preventDefault());
    await userEvent.click(await link());
    cleanup();
    visit({ '/policy/view/1': failed }, '/policy/view/1');
    expect((await link()).getAttribute('href')).toBe('/dashboard?state=%2Fpolicy%2Fview%2F1');
  });

  test('never gets the secret in the address of a quote', async () => {
    const error = new ApiError(401, 'Nobody');
    const failed = <LoadError what="quote" error={error} onRetry={() => {}} />;
    serve({ 'GET /api/v1/profile': () => refuse(401, 'Nobody') }, ...shop);
    visit({ '/quote/edit/1': failed }, '/quote/edit/1#resume=secret');
    const link = () => screen.findByRole('link', { name: 'Log in' });
    await waitFor(async () =>
      expect((await link()).getAttribute('href')).toBe(`${SIGN_ON}&state=%2Fquote%2Fedit%2F1`),
    );
  });
});
