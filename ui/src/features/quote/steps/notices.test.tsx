import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { forId, refuse, sent } from '../../../api/testing';
import { writeDraft } from '../../../form/answers/draft';
import { saveToken } from '../../../lib/storage/tokens';
import { UUID, updatedQuote } from '../../../testing/data';
import { COMPLETE } from '../../../testing/products/product';
import { serve, show } from '../../../testing/server';
import { PAY, ROUTES, reading } from '../saved/editTesting';

describe('a saved quote that has something to point out', () => {
  beforeEach(() => {
    saveToken(UUID, 'secret');
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  const NOTICE = 'AB12 CDE already has live cover here.';
  const ACCEPT = 'POST /api/v1/quote/update-accept/{id}';
  const READ = 'GET /api/v2/public/quote/read/{id}';

  test('says so once, on every step, and when it is opened again', async () => {
    serve(reading({ notices: [NOTICE, NOTICE] }));
    for (const step of [1, 2, 4]) {
      show(ROUTES, `/quote/edit/${UUID}?step=${step}`);
      await screen.findByText(NOTICE);
      expect(screen.getAllByText(NOTICE)).toHaveLength(1);
      cleanup();
    }
  });

  test('says it after the save that found it, though reading it again fails', async () => {
    let saved = false;
    serve(
      {
        'PUT /api/v1/quote/{id}': forId(UUID, () => {
          saved = true;
          return { data: updatedQuote(UUID, [NOTICE]) };
        }),
        [READ]: () => (saved ? refuse(422, 'No') : undefined),
      },
      reading(),
    );
    show(ROUTES, `/quote/edit/${UUID}?step=2`);
    await userEvent.click(await screen.findByRole('button', { name: 'Update my details' }));
    await userEvent.type(screen.getByRole('textbox', { name: 'First name' }), 'e');
    await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
    await screen.findByText(NOTICE);
  });

  test('no longer shows a notice that the save has resolved', async () => {
    let saved = false;
    serve(
      {
        'PUT /api/v1/quote/{id}': forId(UUID, () => {
          saved = true;
          return { data: updatedQuote(UUID) };
        }),
        [READ]: () => (saved ? refuse(422, 'No') : undefined),
      },
      reading({ notices: [NOTICE] }),
    );
    show(ROUTES, `/quote/edit/${UUID}?step=2`);
    await screen.findByText(NOTICE);
    await userEvent.click(await screen.findByRole('button', { name: 'Update my details' }));
    await userEvent.type(screen.getByRole('textbox', { name: 'First name' }), 'e');
    await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
    await waitFor(() => expect(screen.queryByText(NOTICE)).toBeNull());
  });

  test('says it before it is paid, where paying saved it first', async () => {
    const values = { ...COMPLETE.values, terms_and_conditions: true, key_cover: true };
    writeDraft(UUID, { answers: { ...COMPLETE, values }, revision: 1 });
    let hasNotice = false;
    const calls = serve(
      {
        'PUT /api/v1/quote/{id}': forId(UUID, () => {
          hasNotice = true;
          return { data: updatedQuote(UUID, [NOTICE]) };
        }),
        [ACCEPT]: forId(UUID, () => ({
          data: { uuid: UUID, amount_due: 48.16, revision_id: 2, plan: null },
        })),
      },
      reading(() => (hasNotice ? { revision: 2, values, notices: [NOTICE] } : {})),
    );
    show(ROUTES, `/quote/edit/${UUID}?step=4`);
    await userEvent.click(await screen.findByRole('button', { name: PAY }));
    // The notice is once on the page, and once in the snackbar.
    await waitFor(() => expect(screen.getAllByText(NOTICE)).toHaveLength(2));
    expect(sent(calls, ACCEPT)).toEqual([]);
    // The button asks to wait until the save has ended.
    await userEvent.click(await screen.findByRole('button', { name: PAY }));
    await screen.findByText('Payment page');
  });
});
