import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { type ReactNode, useEffect } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { confirm } from '../../lib/messages/confirm';
import { clearSnackbar, showSnackbar, showSnackbarAhead } from '../../lib/messages/snackbar';
import { initialCache } from '../../testing/data';
import { visit } from '../../testing/server';
import { Layout } from '../Layout';

beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
});
afterEach(() => {
  clearSnackbar();
  vi.unstubAllGlobals();
});

function SnackbarPage({ text }: { text: string }): ReactNode {
  useEffect(() => showSnackbar(text), [text]);
  return null;
}

async function open() {
  const cache = {
    provider: () => new Map(),
    fallback: initialCache({}, null),
    revalidateOnMount: false,
    revalidateIfStale: false,
  };
  const pages = { '/greeting': <SnackbarPage text="Welcome." />, '/:page?': <p>A page</p> };
  const router = visit(pages, '/first', cache, <Layout />);
  await screen.findByText('A page');
  return (to: string) => router.navigate(to);
}

test('a message leaves with the page that it was about', async () => {
  const go = await open();
  act(() => showSnackbar('Quote updated successfully.'));
  await go('/first?step=2');
  expect(screen.getByText('Quote updated successfully.')).toBeTruthy();
  await go('/second');
  expect(screen.queryByText('Quote updated successfully.')).toBeNull();
});

test('a message about the way to the next page is shown there, and leaves with it', async () => {
  const go = await open();
  act(() => showSnackbarAhead('Quote created successfully.'));
  await go('/second');
  expect(screen.getByText('Quote created successfully.')).toBeTruthy();
  await go('/third');
  expect(screen.queryByText('Quote created successfully.')).toBeNull();
});

test('a page may show a message as soon as it is opened', async () => {
  const go = await open();
  act(() => showSnackbar('Quote updated successfully.'));
  await go('/greeting');
  expect(screen.getByText('Welcome.')).toBeTruthy();
});

test.each([
  ['another page', (go: (to: string) => Promise<void>) => go('/second')],
  ['another part of the page', (go) => go('/first#part')],
  ['Back', () => act(() => window.history.back())],
])('a question ends with the way to %s, and its Yes does nothing there', async (_, leave) => {
  const go = await open();
  await go('/first?step=2');
  const answer = confirm({ message: 'Really?' });
  const yes = await screen.findByRole('button', { name: 'Yes' });
  const leaving = leave(go);
  expect(await answer).toBe(false);
  fireEvent.click(yes);
  await leaving;
  await waitFor(() => expect(screen.queryByText('Really?')).toBeNull());
});
