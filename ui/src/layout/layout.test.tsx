import { MantineProvider } from '@mantine/core';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SWRConfig } from 'swr';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Site } from '../api/types';
import { NavigationProvider } from '../lib/navigation/navigation';
import { tagManagerRuns } from '../lib/tagManager';
import { initialCache } from '../testing/data';
import { CookieBanner } from './cookies/CookieBanner';
import { consentReopened } from './cookies/consent';
import { Dropdown } from './Dropdown';
import HeldNotice from './HeldNotice';
import { LoadingBar } from './router/LoadingBar';
import { PageLoader } from './router/PageLoader';

const TEXT = 'This site uses cookies to provide a better user experience.';

function banner(site: Partial<Site> = {}) {
  return render(
    <MantineProvider env="test">
      <SWRConfig
        value={{
          provider: () => new Map(),
          fallback: initialCache({ cookie_name: 'test_cookies', ...site }),
          revalidateOnMount: false,
          revalidateIfStale: false,
        }}
      >
        <CookieBanner />
      </SWRConfig>
    </MantineProvider>,
  );
}

beforeEach(() => {
  // biome-ignore lint/suspicious/noDocumentCookie: the test starts without a stored choice
  document.cookie = 'test_cookies=; Path=/; Max-Age=0';
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
});

test('the cookie banner is there until a choice is made, and the choice is kept', async () => {
  const first = banner();
  expect(screen.getByText(TEXT)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'I Accept' }));
  expect(screen.queryByText(TEXT)).toBeNull();
  expect(document.cookie).toContain('test_cookies=accepted');
  first.unmount();
  banner();
  expect(screen.queryByText(TEXT)).toBeNull();
});

test('a held shop says that it will be back, and whom to call', () => {
  const notice = (held: boolean) =>
    render(
      <MantineProvider env="test">
        <SWRConfig value={{ provider: () => new Map(), fallback: initialCache({ held }) }}>
          <HeldNotice />
        </SWRConfig>
      </MantineProvider>,
    );
  const open = notice(false);
  expect(screen.queryByRole('status')).toBeNull();
  open.unmount();
  notice(true);
  expect(screen.getByRole('status').textContent).toContain('We will be back soon');
  expect(
    screen.getAllByRole('link').every((link) => link.getAttribute('href')?.startsWith('tel:')),
  ).toBe(true);
});

test('refusing is as easy, and a choice can be made again', async () => {
  banner();
  await userEvent.click(screen.getByRole('button', { name: 'I Refuse' }));
  expect(document.cookie).toContain('test_cookies=refused');
  act(() => consentReopened.set(true));
  await userEvent.click(screen.getByRole('button', { name: 'I Accept' }));
  expect(document.cookie).toContain('test_cookies=accepted');
  expect(screen.queryByText(TEXT)).toBeNull();
});

test('tags start in a document that was loaded with consent, and not in the one that asked for it', async () => {
  const tagged = {
    production: true,
    tag_manager: { id: 'GTM-1', src: 'https://tags.example/gtm.js' },
  };
  const cookieBanner = banner(tagged);
  await userEvent.click(screen.getByRole('button', { name: 'I Accept' }));
  expect(tagManagerRuns()).toBe(false);
  cookieBanner.unmount();
  banner(tagged);
  await waitFor(() => expect(tagManagerRuns()).toBe(true));
  document.head.replaceChildren();
});

test('the full-page loader is hidden on payment, quote, policy and aggregator', () => {
  const loader = (path: string) => {
    window.history.replaceState(null, '', path);
    const { unmount } = render(
      <MantineProvider env="test">
        <PageLoader />
      </MantineProvider>,
    );
    const shown = screen.queryByText('Loading…') !== null;
    unmount();
    return shown;
  };
  for (const path of ['/', '/breakdown/local', '/dashboard', '/payments']) {
    expect(loader(path), path).toBe(true);
  }
  for (const path of [
    '/payment',
    '/payment/success/1',
    '/quote/edit/1',
    '/policy/view/1',
    '/aggregator/1',
  ]) {
    expect(loader(path), path).toBe(false);
  }
  window.history.replaceState(null, '', '/');
});

test('a dropdown opens, and Escape closes it and gives the focus back', async () => {
  render(<Dropdown label="My Account">{() => <input aria-label="Username" />}</Dropdown>);
  const button = screen.getByRole('button', { name: 'My Account' });
  expect(button.getAttribute('aria-expanded')).toBe('false');
  await userEvent.click(button);
  expect(button.getAttribute('aria-expanded')).toBe('true');
  await userEvent.click(screen.getByLabelText('Username'));
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByLabelText('Username')).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(button));
});

test('the loading bar is there while the next page is on its way', async () => {
  const bar = (loading: boolean) => (
    <NavigationProvider
      value={{
        loading,
        keepsScroll: false,
        onLeave: () => () => {},
        go: () => Promise.resolve(),
      }}
    >
      <LoadingBar />
    </NavigationProvider>
  );
  const { rerender } = render(bar(false));
  expect(screen.queryByRole('progressbar')).toBeNull();
  rerender(bar(true));
  const shown = await screen.findByRole('progressbar', { name: 'Loading the page' });
  expect(Number(shown.getAttribute('aria-valuenow'))).toBeLessThan(100);
  rerender(bar(false));
  await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull());
});
