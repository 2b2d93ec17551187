import { screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { CoverHelp as Words } from '../api/types';
import { serve, show } from '../features/quote/testing';
import { GADGET } from '../form/testing/gadget';
import { CoverHelp } from './CoverHelp';

function help(product: string, words?: Words | null, begins = '2020-01-01T00:00:00Z') {
  serve(({ path }) => {
    if (path === '/api/v1/site') {
      const site = { assistance_phone: '0800 1', phone: '0330 2', email: 'a@b.c', hours: '9 to 5' };
      return { status: 200, body: { data: site } };
    }
    return path === '/api/v2/openapi/product/gadget'
      ? { status: 200, body: { ...GADGET, info: { ...GADGET.info, help: words } } }
      : undefined;
  });
  show(
    { '/': <CoverHelp product={product} title="Broken down?" begins={begins} reference="X1" /> },
    '/',
  );
}

afterEach(() => {
  vi.unstubAllGlobals();
});

test("the front page's product has the roadside's words", async () => {
  help('breakdown');
  await screen.findByRole('heading', { name: 'Broken down?' });
  expect(screen.getByRole('link', { name: '0800 1' })).toBeTruthy();
});

test('another is claimed for by telephone or mail', async () => {
  help('gadget');
  await screen.findByRole('heading', { name: 'If you need to claim' });
  expect(screen.getByText(/Your policy ID is X1/)).toBeTruthy();
  expect(screen.getByRole('link', { name: '0330 2' })).toBeTruthy();
  expect(screen.queryByText(/roadside|Broken down/)).toBeNull();
  expect(screen.queryByText(/is not covered yet/)).toBeNull();
});

test('a product may say it itself, and before cover begins it says so', async () => {
  help(
    'gadget',
    { title: 'Lost it?', text: 'Lock it first.', phone: '0800 3' },
    '2999-01-01T00:00:00Z',
  );
  await screen.findByRole('heading', { name: 'Lost it?' });
  expect(screen.getByText(/Lock it first\./)).toBeTruthy();
  expect(screen.getByRole('link', { name: '0800 3' })).toBeTruthy();
  expect(screen.getByText(/is not covered yet/)).toBeTruthy();
});
