import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../../api/client';
import { forId, sent } from '../../../api/testing';
import { UUID, updatedQuote } from '../../../testing/data';
import { COMPLETE } from '../../../testing/products/product';
import { serve } from '../../../testing/server';
import { failureText, TRY_AGAIN, updateQuote } from './saving';

const SAVE = 'PUT /api/v1/quote/{id}';

afterEach(() => {
  window.history.replaceState(null, '', '/');
  vi.unstubAllGlobals();
});

const textFor = (status: number, wait: number | null = null) =>
  failureText(new ApiError(status, 'What the server says', {}, null, wait));

test('a refused save says what to do where that is known, else the general words', () => {
  expect(textFor(404)).toBe(
    'This quote is no longer here. You can start a new one with the same answers.',
  );
  expect(textFor(429, 1)).toBe('That was too many tries. Please wait 1 second and try again.');
  expect(textFor(503, 30)).toBe('We are busy just now. Please wait 30 seconds and try again.');
  expect(textFor(503, 90)).toBe('We are busy just now. Please wait 2 minutes and try again.');
  expect(textFor(503)).toBe('We are busy just now. Please wait a moment and try again.');
  expect(TRY_AGAIN).toBe('Error. Please correct the form and try again.');
  for (const status of [400, 403, 422, 500]) expect(textFor(status), `${status}`).toBe(TRY_AGAIN);
});

test('a save says the page it comes from, and gives back its uuid and revision', async () => {
  window.history.replaceState(null, '', `/quote/edit/${UUID}?step=4`);
  const calls = serve({ [SAVE]: forId(UUID, () => ({ data: updatedQuote(UUID) })) });
  const product = { product_identifier: 'breakdown', ...COMPLETE };
  const saved = await updateQuote(UUID, 1, product);
  expect(sent(calls, SAVE)[0]?.body).toEqual({
    product,
    revision_id: 1,
    path: `/quote/edit/${UUID}`,
  });
  expect([saved.uuid, saved.revision_id]).toEqual([UUID, 2]);
});
