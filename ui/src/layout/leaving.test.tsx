import { MantineProvider } from '@mantine/core';
import { act, render, screen } from '@testing-library/react';
import { type ReactNode, useEffect } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { SWRConfig } from 'swr';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clearSnackbar, showSnackbar, showSnackbarAhead } from '../lib/snackbar';
import { known } from '../testing/data';
import { Layout } from './Layout';

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

function Saying({ text }: { text: string }): ReactNode {
  useEffect(() => showSnackbar(text), [text]);
  return null;
}

async function open() {
  const router = createMemoryRouter(
    [
      {
        Component: Layout,
        children: [
          { path: '/greeting', element: <Saying text="Welcome." /> },
          { path: '*', element: <p>A page</p> },
        ],
      },
    ],
    { initialEntries: ['/first'] },
  );
  render(
    <MantineProvider env="test">
      <SWRConfig
        value={{
          provider: () => new Map(),
          fallback: known({}, null),
          revalidateOnMount: false,
          revalidateIfStale: false,
        }}
      >
        <RouterProvider router={router} />
      </SWRConfig>
    </MantineProvider>,
  );
  await screen.findByText('A page');
  return (to: string) => act(() => router.navigate(to));
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
