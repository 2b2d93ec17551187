import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { staysAfterLogout } from '../../api/session/useLogout';
import { refuse, type Server } from '../../api/testing';
import type { EnabledProduct } from '../../api/types';
import { PageError, runGuards } from '../../lib/routes/guards';
import { paths } from '../../lib/routes/paths';
import { GADGET, GADGET_STEPPER } from '../../testing/products/gadget';
import { serve, show } from '../../testing/server';
import Portal from '../account/Portal';
import Home from '../Home';
import Cover from './Cover';

const ROUTES = { '/': <Home />, '/cover/:product': <Cover />, '/portal': <Portal /> };

const product = (identifier: string, title: string, enabled = true): EnabledProduct => ({
  identifier,
  product_title: title,
  product_short_title: title,
  enabled,
  stepper: 'generic',
});

const SOLD = [
  product('breakdown', 'Vehicle breakdown cover'),
  product('gadget', 'Gadget cover'),
  product('boat', 'Boat cover', false),
];

const shop: Server = {
  'GET /api/v2/products/enabled': () => ({ data: SOLD }),
  'GET /api/v2/openapi/product/{id}': ({ params: { id } }) => {
    if (id === 'gadget' || id === '2') return GADGET;
    return id === 'nothing' ? refuse(404, 'No') : undefined;
  },
  'GET /api/v2/openapi/product/{identifier}/stepper': ({ params: { identifier } }) => {
    if (identifier === 'gadget' || identifier === '2') return GADGET_STEPPER;
    return identifier === 'nothing' ? refuse(404, 'No') : undefined;
  },
};

const others = async () =>
  within(await screen.findByRole('navigation', { name: 'Other cover' }))
    .getAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href')]);

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('the start page of any product', () => {
  test("is the product's own, and names the others", async () => {
    serve(shop);
    show(ROUTES, '/cover/gadget');
    await screen.findByRole('heading', { level: 1, name: 'Cover for what you carry' });
    expect(await others()).toEqual([['Vehicle breakdown cover', '/']]);
  });

  test("of the front page's product is the front page", async () => {
    serve(shop);
    show(ROUTES, '/cover/breakdown?utm_source=paper');
    await waitFor(() => expect(window.location.pathname).toBe('/'));
    await waitFor(() => expect(window.location.search).toBe('?utm_source=paper'));
    expect(await others()).toEqual([['Gadget cover', '/cover/gadget']]);
  });

  test.each(['/cover/nothing', '/cover/2'])('%s is no page', async (address) => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    serve(shop);
    show(ROUTES, address);
    await screen.findByText(/The requested page could not be found/);
  });

  test('is asked of the server only by a name that can be one', () => {
    expect(() => runGuards(['product'], { params: { product: 'gadget' } })).not.toThrow();
    for (const wrong of ['../profile', 'Gadget', 'a b', '', '2', '__proto__', 'é']) {
      expect(() => runGuards(['product'], { params: { product: wrong } }), wrong).toThrow(
        PageError,
      );
    }
    expect(paths.start('gadget')).toBe('/cover/gadget');
  });

  test('is stayed on after logout', () => {
    expect(staysAfterLogout('/cover/gadget')).toBe(true);
    expect(staysAfterLogout('/cover')).toBe(false);
    expect(staysAfterLogout('/covers/gadget')).toBe(false);
    expect(staysAfterLogout('/breakdown/local')).toBe(true);
  });
});

describe('other cover', () => {
  test("is in the portal, beside the front page's", async () => {
    serve(shop);
    show(ROUTES, '/portal');
    expect(await others()).toEqual([['Gadget cover', '/cover/gadget']]);
  });

  test("is left out if the list can't be read", async () => {
    serve();
    show(ROUTES, '/');
    await screen.findByRole('button', { name: /^Next/ });
    expect(screen.queryByRole('navigation', { name: 'Other cover' })).toBeNull();
  });
});
