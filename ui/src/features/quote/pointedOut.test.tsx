import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { writeDraft } from '../../form/draft';
import { saveToken } from '../../lib/tokens';
import { COMPLETE } from '../../testing/products/product';
import { serve, show } from '../../testing/server';
import { quote, ROUTES, reading, UUID } from './editTesting';

describe('a saved quote that has something to point out', () => {
  beforeEach(() => {
    saveToken(UUID, 'secret');
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  const NOTICE = 'AB12 CDE already has live cover here.';
  const updated = { uuid: UUID, revision_id: 2, status_id: 1, notices: [NOTICE] };

  test('says so once, on every step, and when it is opened again', async () => {
    const twice = quote({});
    twice.info.notices = [NOTICE, NOTICE];
    serve(({ path }) =>
      path === `/api/v2/public/quote/read/${UUID}`
        ? { status: 200, body: { data: twice } }
        : undefined,
    );
    for (const step of [1, 2, 4]) {
      const router = show(ROUTES, `/quote/edit/${UUID}?step=${step}`);
      await screen.findByText(NOTICE);
      expect(screen.getAllByText(NOTICE)).toHaveLength(1);
      router.dispose();
      cleanup();
    }
  });

  test('says it after the save that found it, though reading it again fails', async () => {
    let saved = false;
    serve((call) => {
      if (call.method === 'PUT') {
        saved = true;
        return { status: 200, body: { data: updated } };
      }
      return saved && call.path.includes('/quote/read/')
        ? { status: 422, body: { message: 'No' } }
        : reading()(call);
    });
    show(ROUTES, `/quote/edit/${UUID}?step=2`);
    await userEvent.click(await screen.findByRole('button', { name: 'Update my details' }));
    await userEvent.type(screen.getByRole('textbox', { name: 'First name' }), 'e');
    await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
    await screen.findByText(NOTICE);
  });

  test('no longer shows a notice that the save has resolved', async () => {
    let saved = false;
    const before = quote({});
    before.info.notices = [NOTICE];
    serve(({ path, method }) => {
      if (method === 'PUT') {
        saved = true;
        return { status: 200, body: { data: { ...updated, notices: [] } } };
      }
      if (!path.includes('/quote/read/')) return undefined;
      return saved
        ? { status: 422, body: { message: 'No' } }
        : { status: 200, body: { data: before } };
    });
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
    let told = false;
    const calls = serve((call) => {
      const { path, method } = call;
      if (method === 'PUT') {
        told = true;
        return { status: 200, body: { data: updated } };
      }
      if (path.includes('/quote/read/')) {
        const read = quote({ revision: told ? 2 : 1, values: told ? values : {} });
        read.info.notices = told ? [NOTICE] : [];
        return { status: 200, body: { data: read } };
      }
      return path.includes('update-accept')
        ? { status: 200, body: { data: { uuid: UUID, amount_due: 48.16, revision_id: 2 } } }
        : undefined;
    });
    show(ROUTES, `/quote/edit/${UUID}?step=4`);
    await userEvent.click(await screen.findByRole('button', { name: 'Pay' }));
    // Once on the page, and once in the snackbar after the button was pressed.
    await waitFor(() => expect(screen.getAllByText(NOTICE)).toHaveLength(2));
    expect(calls.some(({ path }) => path.includes('update-accept'))).toBe(false);
    await userEvent.click(screen.getByRole('button', { name: 'Pay' }));
    await screen.findByText('Payment page');
  });
});
