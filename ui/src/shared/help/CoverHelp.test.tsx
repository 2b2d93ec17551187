import { screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { forId, refuse } from '../../api/testing';
import type { CoverHelp as Words } from '../../api/types';
import { savedQuote, siteWith } from '../../testing/data';
import { term } from '../../testing/policy';
import { GADGET } from '../../testing/products/gadget';
import { serve, show } from '../../testing/server';
import { CoverHelp } from './CoverHelp';

function help(product: string, words: Words | null = null, begins = '2020-01-01T00:00:00Z') {
  const gadget = { ...GADGET, info: { ...GADGET.info, help: words } };
  const phones = { assistance_phone: '0800 1', phone: '0330 2' };
  serve(
    {
      'GET /api/v1/site': () => ({
        data: siteWith({ ...phones, email: 'a@b.c', hours: '9 to 5' }),
      }),
      'GET /api/v2/openapi/product/{id}': forId('gadget', () => gadget),
    },
    { 'GET /api/v2/openapi/product/{id}': forId('bicycle', () => refuse(404, 'No')) },
  );
  show({ '/': <CoverHelp product={product} begins={begins} reference="X1" /> }, '/');
}

afterEach(() => {
  vi.unstubAllGlobals();
});

test('a product may name the number that is answered at any hour', async () => {
  help('breakdown');
  await screen.findByRole('heading', { name: 'Broken down?' });
  expect(screen.getByText(/safe place.*Your policy ID is X1/)).toBeTruthy();
  expect(screen.getByRole('link', { name: '0800 1' }).getAttribute('href')).toBe('tel:08001');
  expect(screen.queryByText(/9 to 5/)).toBeNull();
});

test('a product without a help text is claimed for by telephone or mail', async () => {
  help('gadget');
  await screen.findByRole('heading', { name: 'Need to claim?' });
  expect(screen.getByText(/Your policy ID is X1/)).toBeTruthy();
  expect(screen.getByRole('link', { name: '0330 2' })).toBeTruthy();
  expect(screen.getByText(/9 to 5/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'a@b.c' })).toBeTruthy();
  expect(screen.queryByText(/is not covered yet/)).toBeNull();
});

test('a product that can not be read has the number for any hour', async () => {
  help('bicycle');
  await screen.findByRole('heading', { name: 'Need to claim?' });
  expect(screen.getByRole('link', { name: '0800 1' })).toBeTruthy();
});

test('a product has its own help text, and says when cover has not begun', async () => {
  help(
    'gadget',
    {
      title: 'Lost it?',
      text: 'Lock it first.',
      event: 'A loss',
      assistance: false,
      phone: '0800 3',
    },
    '2999-01-01T00:00:00Z',
  );
  await screen.findByRole('heading', { name: 'Lost it?' });
  expect(screen.getByText(/Lock it first\./)).toBeTruthy();
  expect(screen.getByRole('link', { name: '0800 3' })).toBeTruthy();
  expect(screen.getByText(/^A loss before .* is not covered yet/)).toBeTruthy();
});

test('a renewal that has not begun says which policy covers until then', async () => {
  const earlier = '0197f3c2-0000-7000-8000-000000000001';
  const policy = term({ expiry: '2099-11-21' });
  serve({
    'GET /api/v2/policy/read/{id}': forId(earlier, () => ({
      data: { ...savedQuote(earlier, 'BRK100000001', { status_id: 5 }), policy },
    })),
  });
  show(
    {
      '/': (
        <CoverHelp
          product="breakdown"
          begins="2099-11-22T00:00:00Z"
          reference="X1"
          follows={earlier}
        />
      ),
    },
    '/',
  );
  await screen.findByText(
    'You stay covered by BRK100000001 until Saturday 21 November 2099. From then on:',
  );
  expect(screen.queryByText(/is not covered yet/)).toBeNull();
});
