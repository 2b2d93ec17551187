import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { PolicyDocument, PolicyDocuments } from '../../../api/policies/policyTypes';
import { forId, refuse, sent } from '../../../api/testing';
import { recentErrors } from '../../../lib/errors';
import { forgetToken, saveToken } from '../../../lib/storage/tokens';
import { UUID } from '../../../testing/data';
import { DOCUMENTS, day, forgetAll, hold, read } from '../../../testing/policy';
import { visit } from '../../../testing/server';
import { PolicyScreen } from '../view/PolicyScreen';
import { DocumentsCard, revisionChoices } from './DocumentsCard';

const LIST = 'GET /api/v1/policy/{id}/documents';
const CHECK = 'POST /api/v1/documents/check';
const FILE = 'GET /api/v1/documents/{identifier}';

const document = (identifier: string, title: string, is_ready: boolean): PolicyDocument => ({
  identifier,
  title,
  is_ready,
  date: null,
});

const PENDING_DOCUMENTS: PolicyDocuments = {
  ...DOCUMENTS,
  documents: [
    {
      title: 'Your policy',
      documents: [
        document('d1', 'Policy schedule', false),
        document('d2', 'Receipt', true),
        document('d3', 'Demands and needs', false),
      ],
    },
  ],
};

const open = () => visit({ '/': <DocumentsCard uuid={UUID} live /> }, '/');

afterEach(async () => {
  forgetToken(UUID);
  await forgetAll();
});

test('documents open in a new tab, in their groups', async () => {
  const external = [{ title: 'Legal cover', url: 'https://example.com/l' }];
  hold(read, { [LIST]: forId(UUID, () => ({ data: { ...DOCUMENTS, external } })) });
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
  let requestCount = 0;
  const calls = hold(read, {
    [LIST]: forId(UUID, () => ({ data: PENDING_DOCUMENTS })),
    [CHECK]: () => {
      requestCount += 1;
      return { data: { d1: true, d3: requestCount > 1 } };
    },
  });
  open();
  await screen.findByText('Policy schedule');
  expect(screen.getAllByText('Being made')).toHaveLength(2);
  await screen.findByRole('link', { name: /Policy schedule/ });
  expect(screen.getAllByText('Being made')).toHaveLength(1);
  await screen.findByRole('link', { name: /Demands and needs/ });
  await screen.findByText('All documents are ready to open.');
  expect(sent(calls, CHECK).map((call) => call.body)).toEqual([
    { docs: ['d1', 'd3'] },
    { docs: ['d3'] },
  ]);
});

test('a failed check is reported, and can be made again', async () => {
  let isBroken = true;
  hold(read, {
    [LIST]: forId(UUID, () => ({ data: PENDING_DOCUMENTS })),
    [CHECK]: () => (isBroken ? refuse(500, 'Broken') : { data: { d1: true, d3: true } }),
  });
  recentErrors.set([]);
  open();
  await screen.findByText('Error updating policy document statuses');
  expect(recentErrors.get().map((error) => error.message)).toContain(
    'Error updating policy document statuses',
  );
  expect(screen.getByRole('link', { name: /Receipt/ })).toBeTruthy();
  isBroken = false;
  await userEvent.click(screen.getByRole('button', { name: 'Check again' }));
  await screen.findByRole('link', { name: /Policy schedule/ });
});

test('documents that could not be loaded can be asked for again, quietly', async () => {
  let isBroken = true;
  hold(read, { [LIST]: () => (isBroken ? refuse(400, 'No') : undefined) });
  open();
  await screen.findByText('Your documents could not be loaded.');
  expect(screen.queryByRole('button', { name: 'Close' })).toBeNull();
  isBroken = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('link', { name: /Policy schedule/ });
});

test('the documents of an earlier revision are one choice away', async () => {
  const revisions = {
    '1': { date_revision: day(-100) },
    '3': { date_revision: `${day(-10)}T09:00:00Z` },
  };
  const old = [{ title: 'Your policy', documents: [document('d9', 'Old schedule', true)] }];
  const byPolicy: Record<string, PolicyDocuments> = {
    '': { ...DOCUMENTS, revisions },
    'revision=1': { ...DOCUMENTS, revisions, documents: old },
  };
  hold(read, {
    [LIST]: forId(UUID, ({ query }) => {
      const data = byPolicy[query.toString()];
      return data ? { data } : refuse(404, 'Not found');
    }),
  });
  open();
  const chooser = await screen.findByRole('combobox', { name: 'Documents of' });
  expect(revisionChoices(revisions, true).map((choice) => choice.value)).toEqual(['', '1']);
  const [newest] = revisionChoices(revisions, true);
  expect(newest?.label).toMatch(/ \(now in force\)$/);
  // A cancelled policy has no revision in force.
  const [last] = revisionChoices(revisions, false);
  expect(last?.label).toMatch(/ \(the last\)$/);
  await userEvent.selectOptions(chooser, '1');
  await screen.findByRole('link', { name: /Old schedule/ });
  expect(screen.queryByRole('link', { name: /Policy schedule/ })).toBeNull();
  await userEvent.selectOptions(chooser, '');
  await screen.findByRole('link', { name: /Policy schedule/ });
});

test('without an account they are fetched with the token and kept under their name', async () => {
  saveToken(UUID, 'secret');
  const headers = { 'Content-Disposition': 'inline; filename="schedule.pdf"' };
  const calls = hold(read, { [FILE]: forId('d1', () => new Response('%PDF', { headers })) });
  const saved: string[] = [];
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:1');
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push(this.download);
  });
  open();
  const button = await screen.findByRole('button', { name: 'Policy schedule (PDF, downloads)' });
  // The server refuses the address without the token, so the page shows a button and no link.
  expect(screen.queryByRole('link', { name: /Policy schedule/ })).toBeNull();
  // The test replaces `click()` of links, so `userEvent` presses the button.
  await userEvent.click(button);
  await waitFor(() => expect(saved).toEqual(['schedule.pdf']));
  expect(sent(calls, FILE)[0]?.headers.get('Authorization')).toBe('Bearer secret');
});

test('without an account the product’s documents are links all the same, since they need no token', async () => {
  saveToken(UUID, 'secret');
  const documents = [document('breakdown-2025.1-wording', 'Policy Wording', true)];
  hold(read, {
    [LIST]: forId(UUID, () => ({ data: { ...DOCUMENTS, documents: [{ title: '', documents }] } })),
  });
  open();
  const link = await screen.findByRole('link', { name: /^Policy Wording/ });
  expect(link.getAttribute('href')).toBe('/api/v1/documents/breakdown-2025.1-wording');
  expect(link.getAttribute('target')).toBe('_blank');
});

test('the wording and the IPID of the version that was sold are linked with the policy', async () => {
  const documents = [
    document('d1', 'Policy Schedule', true),
    document('breakdown-2025.1-wording', 'Policy Wording', true),
    document('breakdown-2025.1-ipid', 'Insurance Product Information Document (IPID)', true),
  ];
  hold(read, {
    [LIST]: forId(UUID, () => ({
      data: { ...DOCUMENTS, documents: [{ title: 'Your policy', documents }] },
    })),
  });
  visit({ '/': <PolicyScreen uuid={UUID} /> }, '/');
  const summary = within(await screen.findByRole('region', { name: 'Your Policy' }));
  const links = await summary.findAllByRole('link');
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['View Policy Wording (PDF, opens in a new tab)', '/api/v1/documents/breakdown-2025.1-wording'],
    ['View IPID (PDF, opens in a new tab)', '/api/v1/documents/breakdown-2025.1-ipid'],
  ]);
});

test('a mailed link to the documents shows them, and leads to the log-in for the rest', async () => {
  saveToken(UUID, 'token-of-documents');
  hold(read, { 'GET /api/v2/policy/read/{id}': forId(UUID, () => refuse(401, 'no')) });
  visit({ '/': <PolicyScreen uuid={UUID} /> }, '/');
  expect(await screen.findByRole('heading', { name: 'Your documents', level: 1 })).toBeTruthy();
  expect(
    await screen.findByRole('button', { name: /^Policy schedule|Policy schedule/ }),
  ).toBeTruthy();
  const login = screen.getByRole('link', { name: 'Log in' });
  expect(login.getAttribute('href')).toContain(encodeURIComponent(`/policy/view/${UUID}`));
});
