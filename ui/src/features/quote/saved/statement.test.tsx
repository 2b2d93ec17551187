import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forId, refuse, type Server, sent } from '../../../api/testing';
import { writeDraft } from '../../../form/answers/draft';
import { saveToken } from '../../../lib/storage/tokens';
import { savedQuote, UUID } from '../../../testing/data';
import { COMPLETE, PRODUCT } from '../../../testing/products/product';
import { serve, show } from '../../../testing/server';
import { EditQuote } from './EditQuote';

const DOCUMENTS = 'GET /api/v2/quote/documents/{id}';
const STATEMENT = {
  identifier: 'd3',
  title: 'Demands and Needs Statement',
  is_ready: false,
  date: '2026-11-24T09:00:00Z',
};

const ROUTES = { '/quote/edit/:id': <EditQuote uuid={UUID} bought={<p>Policy form</p>} /> };

/** The quote's documents include the product's documents. */
const listed = [
  ...PRODUCT.info.documents.map((each) => ({ ...each, is_ready: true, date: null })),
  STATEMENT,
];

function reading(documents: Server) {
  return serve(documents, {
    'GET /api/v2/public/quote/read/{id}': forId(UUID, () => ({
      data: savedQuote(UUID, 'BRK100000001'),
    })),
  });
}

beforeEach(() => {
  saveToken(UUID, 'secret');
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('the demands and needs of a saved quote can be read as a document before paying', async () => {
  const calls = reading({
    [DOCUMENTS]: forId(UUID, () => ({ data: listed })),
    'POST /api/v1/documents/check': () => ({ data: { d3: true } }),
  });
  show(ROUTES, `/quote/edit/${UUID}?step=4`);
  await screen.findByText('Being made');
  const file = await screen.findByRole('button', {
    name: 'Demands and Needs Statement (PDF, downloads)',
  });
  expect(file.closest('section')?.getAttribute('aria-labelledby')).toBe('needs-title');
  expect(file.closest('ul')?.children).toHaveLength(1);
  expect(sent(calls, DOCUMENTS).map(({ headers }) => headers.get('Authorization'))).toEqual([
    'Bearer secret',
  ]);

  // The agreement to the terms does not change the demands and needs.
  await userEvent.click(screen.getByRole('checkbox', { name: /terms and conditions/ }));
  expect(screen.getByRole('button', { name: /Demands and Needs Statement/ })).toBeTruthy();
});

test('a statement that could not be loaded can be asked for again, quietly', async () => {
  let failing = true;
  reading({
    [DOCUMENTS]: forId(UUID, () =>
      failing ? refuse(422, 'No') : { data: [{ ...STATEMENT, is_ready: true }] },
    ),
  });
  show(ROUTES, `/quote/edit/${UUID}?step=4`);
  await screen.findByText('Your statement could not be loaded as a document.');
  failing = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('button', { name: /Demands and Needs Statement/ });
});

test('with changes that are not saved yet, it waits for them', async () => {
  reading({ [DOCUMENTS]: forId(UUID, () => ({ data: listed })) });
  const values = { ...COMPLETE.values, key_cover: true };
  writeDraft(UUID, { answers: { ...COMPLETE, values }, revision: 1 });
  show(ROUTES, `/quote/edit/${UUID}?step=4`);
  await screen.findByText(/^Your statement is made anew as a document/);
  expect(screen.queryByText('Demands and Needs Statement')).toBeNull();
});
