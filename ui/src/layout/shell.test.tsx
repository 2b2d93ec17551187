import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { Outlet } from 'react-router';
import { expect, test } from 'vitest';
import type { Profile } from '../api/types';
import { initialCache, profileOf } from '../testing/data';
import { visit } from '../testing/server';
import { AccountMenu } from './AccountMenu';
import { Footer } from './Footer';
import { Toolbar } from './Toolbar';

const TEXTS = {
  footer: ['Regulated by somebody.', 'Registered in England.'],
  complaints: 'Write to us first.',
};

const ANN = profileOf({ email_primary: 'ann@example.com', user_username: 'ann' });

/** Shows one page at every address, so that navigation alone does not close the panel. */
async function show(children: ReactNode, profile: Profile | null = null) {
  const cache = {
    provider: () => new Map(),
    fallback: initialCache(TEXTS, profile),
    revalidateOnMount: false,
    revalidateIfStale: false,
  };
  visit({ '/:page?': children }, '/', cache, <Outlet />);
  await waitFor(() => expect(screen.queryByText('Loading…')).toBeNull());
}

const addresses = (place: HTMLElement) =>
  within(place)
    .getAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href')]);

test('the footer leads to the configured addresses', async () => {
  await show(<Footer withoutLinks={false} />);
  expect(addresses(screen.getByRole('navigation', { name: 'Legal and contact' }))).toEqual([
    ['Help', '/help'],
    ['Terms', 'https://example.com/terms'],
    ['Privacy', 'https://example.com/privacy'],
    ['Cookies', 'https://example.com/cookies'],
    ['Contact', 'https://example.com/contact'],
  ]);
});

test("the footer shows the shop's texts, while paying too", async () => {
  for (const withoutLinks of [false, true]) {
    await show(<Footer withoutLinks={withoutLinks} />);
    for (const text of [...TEXTS.footer, TEXTS.complaints])
      expect(screen.getByText(text)).toBeTruthy();
    expect(screen.queryAllByRole('link')).toHaveLength(withoutLinks ? 0 : 5);
    cleanup();
  }
});

test('the toolbar leads to the configured addresses, behind Menu too', async () => {
  const links = [
    ['About us', 'https://example.com/about'],
    ['Motor', 'https://example.com/motor'],
    ['Contact', 'https://example.com/contact'],
  ];
  await show(<Toolbar withoutLinks={false} />);
  const [wide, narrow] = screen.getAllByRole('navigation', { name: 'Main' }) as [
    HTMLElement,
    HTMLElement,
  ];
  expect(addresses(wide)).toEqual(links);
  expect(within(narrow).queryByRole('link')).toBeNull();
  await userEvent.click(within(narrow).getByRole('button', { name: 'Menu' }));
  const help = ['Broken down? Call 0800 555 0199', 'tel:08005550199'];
  const check = ['Check whether you are covered', '/broken-down'];
  expect(addresses(narrow)).toEqual([help, check, ...links]);
});

test('whoever has broken down finds what to do and whom to call behind one button', async () => {
  await show(<Toolbar withoutLinks={false} />);
  await userEvent.click(screen.getByRole('button', { name: 'Broken down?' }));
  expect(await screen.findByText(/^Get everyone to a safe place/)).toBeTruthy();
  const call = screen.getByRole('link', { name: '0800 555 0199' });
  expect(call.getAttribute('href')).toBe('tel:08005550199');
  const check = screen.getByRole('link', { name: 'Check whether you are covered' });
  expect(check.getAttribute('href')).toBe('/broken-down');
  expect(call.compareDocumentPosition(check)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

test('while paying the number is said, and leads nowhere', async () => {
  await show(<Toolbar withoutLinks />);
  const phoneLine = screen.getByText('0800 555 0199').parentElement;
  expect(phoneLine?.textContent).toBe('Broken down? 0800 555 0199');
  expect(screen.queryAllByRole('link')).toHaveLength(0);
  expect(screen.queryAllByRole('button')).toHaveLength(0);
});

test('View Details goes to the dashboard and closes the panel', async () => {
  await show(<AccountMenu />, ANN);
  const menu = screen.getByRole('button', { name: 'My Account' });
  await userEvent.click(menu);
  await userEvent.click(await screen.findByRole('button', { name: 'View Details' }));
  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
  expect(screen.queryByRole('button', { name: 'View Details' })).toBeNull();
  expect(screen.getByRole('button', { name: 'My Account' }).getAttribute('aria-expanded')).toBe(
    'false',
  );
});

test('whoever is logged in goes by their primary email', async () => {
  await show(<AccountMenu />, ANN);
  await userEvent.click(screen.getByRole('button', { name: 'My Account' }));
  const hello = (await screen.findByText('Hello')).parentElement;
  expect(hello?.textContent).toBe('Hello ann@example.com');
});
