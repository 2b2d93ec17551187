import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { recentErrors } from '../../lib/errors';
import { forgetToken, saveToken } from '../../lib/tokens';
import { DOCUMENTS, day, forgetAll, hold, ok, read, sent, UUID, visit } from '../../testing/policy';
import { DocumentsCard, revisionChoices } from './DocumentsCard';

const DOCUMENTS_PATH = `/api/v1/policy/${UUID}/documents`;
const CHECK = '/api/v1/documents/check';

const BEING_MADE = {
  ...DOCUMENTS,
  documents: [
    {
      title: 'Your policy',
      documents: [
        { identifier: 'd1', title: 'Policy schedule', is_ready: false },
        { identifier: 'd2', title: 'Receipt', is_ready: true },
        { identifier: 'd3', title: 'Demands and needs', is_ready: false },
      ],
    },
  ],
};

const open = () => visit({ '/': <DocumentsCard uuid={UUID} /> }, '/');

afterEach(async () => {
  forgetToken(UUID);
  await forgetAll();
});

test('documents open in a new tab, in their groups', async () => {
  hold(read, ({ path }) =>
    path === DOCUMENTS_PATH
      ? ok({ ...DOCUMENTS, external: [{ title: 'Legal cover', url: 'https://example.com/l' }] })
      : undefined,
  );
  open();
  const link = await screen.findByRole('link', {
    name: 'Policy schedule (PDF, opens in a new tab)',
  });
  expect(link.getAttribute('href')).toBe('/api/v1/documents/d1');
  expect(link.getAttribute('target')).toBe('_blank');
  expect(screen.getByRole('list', { name: 'Your policy' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Legal cover (opens in a new tab)' })).toBeTruthy();
});

test('a document that is being printed is checked by its id, and becomes a link', async () => {
  let asked = 0;
  const calls = hold(read, ({ path }) => {
    if (path === DOCUMENTS_PATH) return ok(BEING_MADE);
    if (path !== CHECK) return undefined;
    asked += 1;
    return ok({ d1: true, d3: asked > 1 });
  });
  open();
  await screen.findByText('Policy schedule');
  expect(screen.getAllByText('Being made')).toHaveLength(2);
  await screen.findByRole('link', { name: /Policy schedule/ });
  expect(screen.getAllByText('Being made')).toHaveLength(1);
  await screen.findByRole('link', { name: /Demands and needs/ });
  await screen.findByText('All documents are ready to open.');
  expect(sent(calls, 'POST', CHECK).map((call) => call.body)).toEqual([
    { docs: ['d1', 'd3'] },
    { docs: ['d3'] },
  ]);
});

test('a failed check is reported, and can be made again', async () => {
  let broken = true;
  hold(read, ({ path }) => {
    if (path === DOCUMENTS_PATH) return ok(BEING_MADE);
    if (path !== CHECK) return undefined;
    return broken ? { status: 500, body: { message: 'Broken' } } : ok({ d1: true, d3: true });
  });
  recentErrors.set([]);
  open();
  await screen.findByText('Error updating policy document statuses');
  expect(recentErrors.get().map((error) => error.message)).toContain(
    'Error updating policy document statuses',
  );
  expect(screen.getByRole('link', { name: /Receipt/ })).toBeTruthy();
  broken = false;
  await userEvent.click(screen.getByRole('button', { name: 'Check again' }));
  await screen.findByRole('link', { name: /Policy schedule/ });
});

test('documents that could not be loaded can be asked for again, quietly', async () => {
  let broken = true;
  hold(read, ({ path }) =>
    broken && path === DOCUMENTS_PATH ? { status: 400, body: { message: 'No' } } : undefined,
  );
  open();
  await screen.findByText('Your documents could not be loaded.');
  expect(screen.queryByRole('button', { name: 'Close' })).toBeNull();
  broken = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('link', { name: /Policy schedule/ });
});

test('the documents of an earlier revision are one choice away', async () => {
  const revisions = {
    '1': { date_revision: day(-100) },
    '3': { date_revision: `${day(-10)}T09:00:00Z` },
  };
  const old = [
    {
      title: 'Your policy',
      documents: [{ identifier: 'd9', title: 'Old schedule', is_ready: true }],
    },
  ];
  hold(read, ({ path }) => {
    if (path === DOCUMENTS_PATH) return ok({ ...DOCUMENTS, revisions });
    if (path === `${DOCUMENTS_PATH}?revision=1`)
      return ok({ ...DOCUMENTS, revisions, documents: old });
    return undefined;
  });
  open();
  const chooser = await screen.findByRole('combobox', { name: 'Documents of' });
  expect(revisionChoices(revisions).map((choice) => choice.value)).toEqual(['', '1']);
  await userEvent.selectOptions(chooser, '1');
  await screen.findByRole('link', { name: /Old schedule/ });
  expect(screen.queryByRole('link', { name: /Policy schedule/ })).toBeNull();
  await userEvent.selectOptions(chooser, '');
  await screen.findByRole('link', { name: /Policy schedule/ });
});

test('without an account they are fetched with the token and kept under their name', async () => {
  saveToken(UUID, 'secret');
  const calls = hold(read, ({ path }) =>
    path === '/api/v1/documents/d1'
      ? {
          status: 200,
          body: {},
          headers: { 'Content-Disposition': 'inline; filename="schedule.pdf"' },
        }
      : undefined,
  );
  const saved: string[] = [];
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:1');
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push(this.download);
  });
  open();
  const link = await screen.findByRole('link', { name: 'Policy schedule (PDF, downloads)' });
  // userEvent, because the test replaces click().
  await userEvent.click(link);
  await waitFor(() => expect(saved).toEqual(['schedule.pdf']));
  expect(sent(calls, 'GET', '/api/v1/documents/d1')[0]?.headers.get('Authorization')).toBe(
    'Bearer secret',
  );
});
